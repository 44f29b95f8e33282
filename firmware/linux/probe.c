/* Tells what the device is, and ends with its input. */
#include "observe.h"
#include "wire.h"

int main(void) {
    static struct request request;

    observe_open();
    observe_print_machine("probe");
    while (wire_read(&request)) {
        wire_refuse(&request, "unsupported", "this program only tells what the device is");
    }
    return 0;
}
