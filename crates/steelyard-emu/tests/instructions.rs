//! Every instruction on every core: what it changes, what it leaves alone, and how long it takes.
//!
//! Expectations are worked by hand from the AVR Instruction Set Manual (Microchip DS40002198); encodings are those
//! of the GNU assembler.

use crate::common::{chip, step, CORES};
use std::collections::BTreeSet;
use steelyard_emu::avr::isa::{row_of, Row, ROWS};
use steelyard_emu::avr::Avr;
use steelyard_emu::bus::FlatBus;
use steelyard_emu::{FaultKind, Machine, Space};

/// Word address at which every case starts.
const START: u16 = 0x0124;

/// Assembly (`/` separates what follows), its words, the state before, what is different after, and the cycles
/// on cores of the AVRe column and of the AVRxt column. States are zero where nothing is said. `rN`, `sp`, `pc`
/// (a word address), `rampz`, `eind`, `[address]` of the data space, `io:register` and `flash:address` take hexadecimal
/// numbers, `sreg` the letters of the flags that are set. The program counter advances by the instruction's
/// words unless the case says otherwise.
type Case = (&'static str, &'static [u16], &'static str, &'static str, &'static str);

/// What differs with a program counter of 22 bits, and what only such cores have.
#[rustfmt::skip]
const FAR_CASES: &[Case] = &[
    ("rcall .+4", &[0xd002], "sp=3fff", "sp=3ffc [3fff]=25 [3ffe]=01 pc=0127", "4/-"),
    ("icall", &[0x9509], "sp=3fff r30=34 r31=02", "sp=3ffc [3fff]=25 [3ffe]=01 pc=0234", "4/-"),
    ("eicall", &[0x9519], "sp=3fff r30=34 r31=02", "sp=3ffc [3fff]=25 [3ffe]=01 pc=0234", "4/-"),
    ("eicall", &[0x9519], "sp=3fff r30=34 r31=02 eind=01", "fault=unmapped-address pc=0124", "4/-"),
    ("eijmp", &[0x9419], "r30=34 r31=02 sreg=C", "pc=0234", "2/-"),
    ("eijmp", &[0x9419], "r30=34 r31=02 eind=01", "fault=unmapped-address pc=0124", "2/-"),
    ("call 0x246", &[0x940e, 0x0123], "sp=3fff", "sp=3ffc [3fff]=26 [3ffe]=01 pc=0123", "5/-"),
    ("ret", &[0x9508], "sp=3ffc [3ffe]=02 [3fff]=34", "sp=3fff pc=0234", "5/-"),
    ("elpm r5,Z+", &[0x9057], "r30=ff r31=ff rampz=00 flash:ffff=a5", "r5=a5 r30=00 r31=00 rampz=01", "3/-"),
    ("elpm r5,Z+", &[0x9057], "r30=ff r31=ff rampz=01 flash:1ffff=a5", "r5=a5 r30=00 r31=00 rampz=02", "3/-"),
    ("elpm r5,Z+", &[0x9057], "r30=ff r31=ff rampz=03 flash:3ffff=a5", "r5=a5 r30=00 r31=00 rampz=00", "3/-"),
    ("reti", &[0x9518], "sp=3ffc [3ffe]=02 [3fff]=34 sreg=C", "sp=3fff pc=0234 sreg=IC", "5/-"),
];

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("add r1,r2", &[0x0c12], "r1=0f r2=01", "r1=10 sreg=H", "1/1"),
    ("add r1,r2", &[0x0c12], "r1=7f r2=01", "r1=80 sreg=HVN", "1/1"),
    ("add r1,r2", &[0x0c12], "r1=ff r2=01 sreg=ITSVN", "r1=00 sreg=ITHZC", "1/1"),
    ("add r1,r2", &[0x0c12], "r1=80 r2=80", "r1=00 sreg=SVZC", "1/1"),
    ("add r31,r31", &[0x0fff], "r31=c1", "r31=82 sreg=SNC", "1/1"),
    ("adc r1,r2", &[0x1c12], "r1=0f r2=00 sreg=C", "r1=10 sreg=H", "1/1"),
    ("adc r1,r2", &[0x1c12], "r1=ff r2=ff sreg=C", "r1=ff sreg=HSNC", "1/1"),
    ("adc r1,r2", &[0x1c12], "r1=7f r2=7f", "r1=fe sreg=HVN", "1/1"),
    ("adc r1,r2", &[0x1c12], "r1=00 r2=00 sreg=Z", "sreg=Z", "1/1"),
    ("adc r17,r30", &[0x1f1e], "r17=fe r30=01 sreg=C", "r17=00 sreg=HZC", "1/1"),
    ("adiw r24,1", &[0x9601], "r24=ff r25=00", "r24=00 r25=01", "2/2"),
    ("adiw r26,63", &[0x96df], "r26=c1 r27=ff", "r26=00 r27=00 sreg=ZC", "2/2"),
    ("adiw r30,1", &[0x9631], "r30=ff r31=7f sreg=H", "r30=00 r31=80 sreg=HVN", "2/2"),
    ("adiw r28,0", &[0x9620], "r28=00 r29=80", "sreg=SN", "2/2"),
    ("sub r1,r2", &[0x1812], "r1=10 r2=01", "r1=0f sreg=H", "1/1"),
    ("sub r1,r2", &[0x1812], "r1=00 r2=01", "r1=ff sreg=HSNC", "1/1"),
    ("sub r1,r2", &[0x1812], "r1=80 r2=01", "r1=7f sreg=HSV", "1/1"),
    ("sub r1,r2", &[0x1812], "r1=7f r2=80", "r1=ff sreg=VNC", "1/1"),
    ("sub r1,r1", &[0x1811], "r1=55 sreg=ITC", "r1=00 sreg=ITZ", "1/1"),
    ("subi r16,1", &[0x5001], "r16=00", "r16=ff sreg=HSNC", "1/1"),
    ("subi r31,0xff", &[0x5fff], "r31=fe", "r31=ff sreg=HSNC", "1/1"),
    ("subi r20,0x80", &[0x5840], "r20=80", "r20=00 sreg=Z", "1/1"),
    ("sbc r1,r2", &[0x0812], "r1=00 r2=00 sreg=ZC", "r1=ff sreg=HSNC", "1/1"),
    ("sbc r1,r2", &[0x0812], "r1=01 r2=00 sreg=ZC", "r1=00 sreg=Z", "1/1"),
    ("sbc r1,r2", &[0x0812], "r1=01 r2=00 sreg=C", "r1=00 sreg=", "1/1"),
    ("sbc r1,r2", &[0x0812], "r1=80 r2=7f sreg=C", "r1=00 sreg=HSV", "1/1"),
    ("sbci r17,0", &[0x4010], "r17=00 sreg=ZC", "r17=ff sreg=HSNC", "1/1"),
    ("sbci r17,0x0f", &[0x401f], "r17=10 sreg=ZC", "r17=00 sreg=HZ", "1/1"),
    ("sbci r31,0xf0", &[0x4ff0], "r31=f0", "r31=00 sreg=", "1/1"),
    ("sbiw r24,1", &[0x9701], "r24=00 r25=00", "r24=ff r25=ff sreg=SNC", "2/2"),
    ("sbiw r26,1", &[0x9711], "r26=01 r27=00", "r26=00 r27=00 sreg=Z", "2/2"),
    ("sbiw r28,1", &[0x9721], "r28=00 r29=80", "r28=ff r29=7f sreg=SV", "2/2"),
    ("sbiw r30,63", &[0x97ff], "r30=3f r31=80 sreg=HC", "r30=00 r31=80 sreg=HSN", "2/2"),
    ("and r1,r2", &[0x2012], "r1=f0 r2=0f sreg=HVC", "r1=00 sreg=HZC", "1/1"),
    ("and r1,r2", &[0x2012], "r1=ff r2=81", "r1=81 sreg=SN", "1/1"),
    ("andi r16,0x0f", &[0x700f], "r16=3c sreg=SVN", "r16=0c sreg=", "1/1"),
    ("andi r31,0", &[0x70f0], "r31=ff sreg=C", "r31=00 sreg=ZC", "1/1"),
    ("or r1,r2", &[0x2812], "r1=80 r2=01", "r1=81 sreg=SN", "1/1"),
    ("or r1,r1", &[0x2811], "r1=00 sreg=SVN", "sreg=Z", "1/1"),
    ("ori r18,0xff", &[0x6f2f], "r18=00 sreg=ZC", "r18=ff sreg=SNC", "1/1"),
    ("ori r16,0x01", &[0x6001], "r16=02", "r16=03", "1/1"),
    ("eor r5,r5", &[0x2455], "r5=aa sreg=ITHSVNC", "r5=00 sreg=ITHZC", "1/1"),
    ("eor r5,r6", &[0x2456], "r5=7f r6=ff", "r5=80 sreg=SN", "1/1"),
    ("com r9", &[0x9490], "r9=00", "r9=ff sreg=SNC", "1/1"),
    ("com r9", &[0x9490], "r9=ff sreg=HV", "r9=00 sreg=HZC", "1/1"),
    ("neg r9", &[0x9491], "r9=00 sreg=HSVNC", "r9=00 sreg=Z", "1/1"),
    ("neg r9", &[0x9491], "r9=80", "r9=80 sreg=VNC", "1/1"),
    ("neg r9", &[0x9491], "r9=01", "r9=ff sreg=HSNC", "1/1"),
    ("neg r9", &[0x9491], "r9=f0", "r9=10 sreg=C", "1/1"),
    ("inc r9", &[0x9493], "r9=7f sreg=C", "r9=80 sreg=VNC", "1/1"),
    ("inc r9", &[0x9493], "r9=ff sreg=H", "r9=00 sreg=HZ", "1/1"),
    ("dec r9", &[0x949a], "r9=80", "r9=7f sreg=SV", "1/1"),
    ("dec r9", &[0x949a], "r9=01 sreg=C", "r9=00 sreg=ZC", "1/1"),
    ("dec r9", &[0x949a], "r9=00", "r9=ff sreg=SN", "1/1"),
    ("cp r1,r2", &[0x1412], "r1=01 r2=02", "sreg=HSNC", "1/1"),
    ("cp r1,r2", &[0x1412], "r1=80 r2=01", "sreg=HSV", "1/1"),
    ("cp r1,r2", &[0x1412], "r1=44 r2=44 sreg=C", "sreg=Z", "1/1"),
    ("cpc r1,r2", &[0x0412], "r1=00 r2=00 sreg=ZC", "sreg=HSNC", "1/1"),
    ("cpc r1,r2", &[0x0412], "r1=05 r2=05 sreg=Z", "sreg=Z", "1/1"),
    ("cpc r1,r2", &[0x0412], "r1=05 r2=05", "sreg=", "1/1"),
    ("cpi r16,0x50", &[0x3500], "r16=50", "sreg=Z", "1/1"),
    ("cpi r31,0x51", &[0x35f1], "r31=50", "sreg=HSNC", "1/1"),
    ("mov r31,r0", &[0x2df0], "r0=a5", "r31=a5", "1/1"),
    ("mov r0,r31", &[0x2e0f], "r31=5a sreg=ITHSVNZC", "r0=5a", "1/1"),
    ("movw r30,r0", &[0x01f0], "r0=34 r1=12 sreg=Z", "r30=34 r31=12", "1/1"),
    ("movw r2,r30", &[0x011f], "r30=78 r31=56", "r2=78 r3=56", "1/1"),
    ("ldi r16,0xff", &[0xef0f], "", "r16=ff", "1/1"),
    ("ldi r31,0x5a", &[0xe5fa], "sreg=ITHSVNZC", "r31=5a", "1/1"),
    ("swap r7", &[0x9472], "r7=a5 sreg=C", "r7=5a", "1/1"),
    ("lsr r7", &[0x9476], "r7=01", "r7=00 sreg=SVZC", "1/1"),
    ("lsr r7", &[0x9476], "r7=80 sreg=HC", "r7=40 sreg=H", "1/1"),
    ("ror r7", &[0x9477], "r7=00 sreg=C", "r7=80 sreg=VN", "1/1"),
    ("ror r7", &[0x9477], "r7=01", "r7=00 sreg=SVZC", "1/1"),
    ("ror r7", &[0x9477], "r7=ff sreg=C", "r7=ff sreg=SNC", "1/1"),
    ("asr r7", &[0x9475], "r7=81", "r7=c0 sreg=SNC", "1/1"),
    ("asr r7", &[0x9475], "r7=80", "r7=c0 sreg=VN", "1/1"),
    ("asr r7", &[0x9475], "r7=01", "r7=00 sreg=SVZC", "1/1"),
    ("mul r2,r31", &[0x9e2f], "r2=ff r31=ff", "r0=01 r1=fe sreg=C", "2/2"),
    ("mul r2,r3", &[0x9c23], "r0=11 r1=22 r2=00 r3=ff sreg=HC", "r0=00 r1=00 sreg=HZ", "2/2"),
    ("mul r0,r1", &[0x9c01], "r0=10 r1=10", "r0=00 r1=01", "2/2"),
    ("muls r16,r31", &[0x020f], "r16=80 r31=80", "r0=00 r1=40", "2/2"),
    ("muls r16,r17", &[0x0201], "r16=ff r17=01", "r0=ff r1=ff sreg=C", "2/2"),
    ("mulsu r16,r23", &[0x0307], "r16=ff r23=ff", "r0=01 r1=ff sreg=C", "2/2"),
    ("mulsu r23,r16", &[0x0370], "r16=80 r23=7f", "r0=80 r1=3f", "2/2"),
    ("fmul r16,r17", &[0x0309], "r16=80 r17=80", "r0=00 r1=80", "2/2"),
    ("fmul r16,r17", &[0x0309], "r16=ff r17=ff", "r0=02 r1=fc sreg=C", "2/2"),
    ("fmul r16,r17", &[0x0309], "r16=00 r17=ff sreg=C", "r0=00 r1=00 sreg=Z", "2/2"),
    ("fmuls r16,r17", &[0x0381], "r16=80 r17=80", "r0=00 r1=80", "2/2"),
    ("fmuls r16,r17", &[0x0381], "r16=ff r17=01", "r0=fe r1=ff sreg=C", "2/2"),
    ("fmulsu r16,r17", &[0x0389], "r16=80 r17=ff", "r0=00 r1=01 sreg=C", "2/2"),
    ("rjmp .+4", &[0xc002], "", "pc=0127", "2/2"),
    ("rjmp .-2", &[0xcfff], "sreg=ITHSVNZC", "pc=0124", "2/2"),
    ("ijmp", &[0x9409], "r30=34 r31=02", "pc=0234", "2/2"),
    ("jmp 0x246", &[0x940c, 0x0123], "", "pc=0123", "3/3"),
    ("rcall .+4", &[0xd002], "sp=3fff", "sp=3ffd [3fff]=25 [3ffe]=01 pc=0127", "3/2"),
    ("icall", &[0x9509], "sp=3fff r30=34 r31=02", "sp=3ffd [3fff]=25 [3ffe]=01 pc=0234", "3/2"),
    ("call 0x246", &[0x940e, 0x0123], "sp=3fff", "sp=3ffd [3fff]=26 [3ffe]=01 pc=0123", "4/3"),
    ("ret", &[0x9508], "sp=3ffd [3ffe]=02 [3fff]=34", "sp=3fff pc=0234", "4/4"),
    ("reti", &[0x9518], "sp=3ffd [3ffe]=02 [3fff]=34 sreg=C", "sp=3fff pc=0234 sreg=IC", "4/4"),
    ("cpse r1,r2 / nop", &[0x1012, 0x0000], "r1=12 r2=13", "", "1/1"),
    ("cpse r1,r2 / nop", &[0x1012, 0x0000], "r1=12 r2=12", "pc=0126", "2/2"),
    ("cpse r1,r2 / lds r0,0x2800", &[0x1012, 0x9000, 0x2800], "r1=12 r2=12 sreg=ITHSVNZC", "pc=0127", "3/3"),
    ("sbrc r7,3 / nop", &[0xfc73, 0x0000], "r7=08", "", "1/1"),
    ("sbrc r7,3 / nop", &[0xfc73, 0x0000], "r7=f7", "pc=0126", "2/2"),
    ("sbrc r7,0 / sts 0x2800,r0", &[0xfc70, 0x9200, 0x2800], "r7=fe", "pc=0127", "3/3"),
    ("sbrs r31,7 / nop", &[0xfff7, 0x0000], "r31=7f", "", "1/1"),
    ("sbrs r31,7 / nop", &[0xfff7, 0x0000], "r31=80", "pc=0126", "2/2"),
    ("sbrs r31,7 / lds r0,0x2800", &[0xfff7, 0x9000, 0x2800], "r31=80", "pc=0127", "3/3"),
    ("sbic 5,3 / nop", &[0x992b, 0x0000], "io:05=08", "", "1/1"),
    ("sbic 5,3 / nop", &[0x992b, 0x0000], "io:05=f7", "pc=0126", "2/2"),
    ("sbic 31,0 / lds r0,0x2800", &[0x99f8, 0x9000, 0x2800], "io:1f=fe", "pc=0127", "3/3"),
    ("sbis 5,3 / nop", &[0x9b2b, 0x0000], "io:05=f7", "", "1/1"),
    ("sbis 5,3 / nop", &[0x9b2b, 0x0000], "io:05=08", "pc=0126", "2/2"),
    ("sbis 31,7 / lds r0,0x2800", &[0x9bff, 0x9000, 0x2800], "io:1f=80", "pc=0127", "3/3"),
    ("breq .+10", &[0xf029], "sreg=Z", "pc=012a", "2/2"),
    ("breq .+10", &[0xf029], "sreg=ITHSVNC", "", "1/1"),
    ("brcs .-128", &[0xf200], "sreg=C", "pc=00e5", "2/2"),
    ("brie .+2", &[0xf00f], "sreg=I", "pc=0126", "2/2"),
    ("brne .+126", &[0xf5f9], "sreg=ITHSVNC", "pc=0164", "2/2"),
    ("brne .+126", &[0xf5f9], "sreg=Z", "", "1/1"),
    ("brge .+0", &[0xf404], "sreg=C", "pc=0125", "2/2"),
    ("lds r5,0x2812", &[0x9050, 0x2812], "[2812]=a5 sreg=ITHSVNZC", "r5=a5 pc=0126", "2/3"),
    ("ld r5,X", &[0x905c], "r26=12 r27=28 [2812]=a5", "r5=a5", "2/2"),
    ("ld r5,X+", &[0x905d], "r26=ff r27=28 [28ff]=5a", "r5=5a r26=00 r27=29", "2/2"),
    ("ld r5,-X", &[0x905e], "r26=00 r27=29 [28ff]=5a", "r5=5a r26=ff r27=28", "2/2"),
    ("ld r5,Y", &[0x8058], "r28=12 r29=28 [2812]=a5", "r5=a5", "2/2"),
    ("ldd r5,Y+63", &[0xac5f], "r28=c1 r29=28 [2900]=a5", "r5=a5", "2/2"),
    ("ld r5,Y+", &[0x9059], "r28=ff r29=28 [28ff]=5a", "r5=5a r28=00 r29=29", "2/2"),
    ("ld r5,-Y", &[0x905a], "r28=00 r29=29 [28ff]=5a", "r5=5a r28=ff r29=28", "2/2"),
    ("ld r5,Z", &[0x8050], "r30=12 r31=28 [2812]=a5", "r5=a5", "2/2"),
    ("ldd r31,Z+32", &[0xa1f0], "r30=00 r31=28 [2820]=a5", "r31=a5", "2/2"),
    ("ld r5,Z+", &[0x9051], "r30=ff r31=28 [28ff]=5a", "r5=5a r30=00 r31=29", "2/2"),
    ("ld r5,-Z", &[0x9052], "r30=00 r31=29 [28ff]=5a", "r5=5a r30=ff r31=28", "2/2"),
    ("sts 0x2812,r5", &[0x9250, 0x2812], "r5=a5", "[2812]=a5 pc=0126", "2/2"),
    ("st X,r5", &[0x925c], "r5=a5 r26=12 r27=28", "[2812]=a5", "2/1"),
    ("st X+,r5", &[0x925d], "r5=a5 r26=ff r27=28", "[28ff]=a5 r26=00 r27=29", "2/1"),
    ("st -X,r5", &[0x925e], "r5=a5 r26=00 r27=29", "[28ff]=a5 r26=ff r27=28", "2/1"),
    ("st Y,r5", &[0x8258], "r5=a5 r28=12 r29=28 sreg=ITHSVNZC", "[2812]=a5", "2/1"),
    ("std Y+63,r5", &[0xae5f], "r5=a5 r28=c1 r29=28", "[2900]=a5", "2/1"),
    ("st Y+,r5", &[0x9259], "r5=a5 r28=ff r29=28", "[28ff]=a5 r28=00 r29=29", "2/1"),
    ("st -Y,r5", &[0x925a], "r5=a5 r28=00 r29=29", "[28ff]=a5 r28=ff r29=28", "2/1"),
    ("std Z+1,r5", &[0x8251], "r5=a5 r30=ff r31=28", "[2900]=a5", "2/1"),
    ("st Z+,r5", &[0x9251], "r5=a5 r30=ff r31=28", "[28ff]=a5 r30=00 r31=29", "2/1"),
    ("st -Z,r5", &[0x9252], "r5=a5 r30=00 r31=29", "[28ff]=a5 r30=ff r31=28", "2/1"),
    ("lpm", &[0x95c8], "r30=01 r31=03 flash:0301=a5", "r0=a5", "3/3"),
    ("lpm r5,Z", &[0x9054], "r30=00 r31=03 flash:0300=a5", "r5=a5", "3/3"),
    ("lpm r5,Z+", &[0x9055], "r30=ff r31=02 flash:02ff=a5", "r5=a5 r30=00 r31=03", "3/3"),
    ("elpm", &[0x95d8], "r30=01 r31=03 rampz=01 flash:10301=a5", "r0=a5", "3/-"),
    ("elpm", &[0x95d8], "r30=01 r31=03 rampz=00 flash:0301=5a", "r0=5a", "3/-"),
    ("elpm r5,Z", &[0x9056], "r30=01 r31=03 rampz=01 flash:10301=a5", "r5=a5", "3/-"),
    ("elpm r5,Z+", &[0x9057], "r30=ff r31=ff rampz=00 flash:ffff=a5", "r5=a5 r30=00 r31=00 rampz=01", "3/-"),
    ("elpm r5,Z+", &[0x9057], "r30=ff r31=ff rampz=01 flash:1ffff=a5", "r5=a5 r30=00 r31=00 rampz=00", "3/-"),
    ("spm", &[0x95e8], "r0=12 r1=34 r30=00 r31=03", "", "1/-"),
    ("in r5,0x05", &[0xb055], "io:05=a5 sreg=Z", "r5=a5", "1/1"),
    ("in r31,0x3f", &[0xb7ff], "sreg=ITHSVNZC", "r31=ff", "1/1"),
    ("in r0,0x3d", &[0xb60d], "sp=3f21", "r0=21", "1/1"),
    ("in r0,0x3e", &[0xb60e], "sp=3f21", "r0=3f", "1/1"),
    ("out 0x05,r5", &[0xb855], "r5=a5", "io:05=a5", "1/1"),
    ("out 0x3f,r5", &[0xbe5f], "r5=81", "sreg=IC", "1/1"),
    ("out 0x3d,r5", &[0xbe5d], "r5=81 sp=3fff", "sp=3f81", "1/1"),
    ("out 0x3e,r5", &[0xbe5e], "r5=3e sp=3fff", "sp=3eff", "1/1"),
    ("push r5", &[0x925f], "r5=a5 sp=3fff", "sp=3ffe [3fff]=a5", "2/1"),
    ("pop r5", &[0x905f], "sp=3ffe [3fff]=a5", "r5=a5 sp=3fff", "2/2"),
    ("sbi 5,3", &[0x9a2b], "io:05=41", "io:05=49", "2/1"),
    ("cbi 31,7", &[0x98ff], "io:1f=ff sreg=ITHSVNZC", "io:1f=7f", "2/1"),
    ("sei", &[0x9478], "", "sreg=I", "1/1"),
    ("set", &[0x9468], "sreg=C", "sreg=TC", "1/1"),
    ("sec", &[0x9408], "", "sreg=C", "1/1"),
    ("clc", &[0x9488], "sreg=ITHSVNZC", "sreg=ITHSVNZ", "1/1"),
    ("clh", &[0x94d8], "sreg=ITHSVNZC", "sreg=ITSVNZC", "1/1"),
    ("cli", &[0x94f8], "sreg=IC", "sreg=C", "1/1"),
    ("bst r5,7", &[0xfa57], "r5=80 sreg=C", "sreg=TC", "1/1"),
    ("bst r5,0", &[0xfa50], "r5=fe sreg=TC", "sreg=C", "1/1"),
    ("bld r5,3", &[0xf853], "r5=00 sreg=T", "r5=08", "1/1"),
    ("bld r5,3", &[0xf853], "r5=ff sreg=ISVNZCH", "r5=f7", "1/1"),
    ("nop", &[0x0000], "sreg=ITHSVNZC", "", "1/1"),
    ("sleep", &[0x9588], "", "fault=sleep", "1/1"),
    ("wdr", &[0x95a8], "", "", "1/1"),
    ("break", &[0x9598], "", "", "1/1"),
];

fn flags(letters: &str) -> u8 {
    letters.chars().map(|letter| 1 << "CZNVSHTI".find(letter).expect("a flag")).sum()
}

fn hexadecimal(digits: &str) -> u32 {
    u32::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("`{digits}` is no hexadecimal number"))
}

/// The state a case is about.
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    registers: [u8; 32],
    sreg: String,
    sp: u16,
    pc: u16,
    data: Vec<(u16, u8)>,
    fault: Option<&'static str>,
}

fn letters(sreg: u8) -> String {
    "ITHSVNZC".chars().filter(|letter| sreg & flags(&letter.to_string()) != 0).collect()
}

fn state(chip: &Avr, fault: Option<FaultKind>) -> State {
    let cpu = chip.processor();
    let own = [cpu.program.core().address.sreg, cpu.program.core().address.sp, cpu.program.core().address.sp + 1];
    let first_io = cpu.program.core().address.io;
    let data = (first_io..first_io + 0x60)
        .chain(crate::common::RAM..=crate::common::RAM_END)
        .filter(|address| !own.contains(address))
        .filter_map(|address| Some((address, cpu.datum(address)?)))
        .filter(|(_, value)| *value != 0)
        .collect();
    State {
        registers: cpu.registers,
        sreg: letters(cpu.sreg),
        sp: cpu.sp,
        pc: cpu.pc,
        data,
        fault: fault.map(FaultKind::name),
    }
}

/// Applies the assignments of a case; false where the core lacks what they are about.
fn apply(chip: &mut Avr, assignments: &str) -> bool {
    let io = chip.processor().program.core().address.io;
    let rampz = chip.processor().program.core().address.rampz;
    let eind = chip.processor().program.core().address.eind;
    for assignment in assignments.split_whitespace() {
        let (place, value) = assignment.split_once('=').expect("an assignment");
        let cpu = chip.processor_mut();
        match place {
            "sreg" => cpu.sreg = flags(value),
            "sp" => cpu.sp = hexadecimal(value) as u16,
            "pc" => cpu.pc = hexadecimal(value) as u16,
            "rampz" => match rampz {
                Some(address) => assert!(cpu.set_datum(address, hexadecimal(value) as u8)),
                None => return false,
            },
            "eind" => assert!(cpu.set_datum(eind.expect("a core with EIND"), hexadecimal(value) as u8)),
            "fault" => {}
            _ => {
                let value = hexadecimal(value) as u8;
                if let Some(address) = place.strip_prefix("io:") {
                    assert!(cpu.set_datum(io + hexadecimal(address) as u16, value));
                } else if let Some(address) = place.strip_prefix("flash:") {
                    if chip.write(Space::Program, hexadecimal(address), &[value]).is_err() {
                        return false;
                    }
                } else if let Some(address) = place.strip_prefix('[') {
                    assert!(cpu.set_datum(hexadecimal(address.trim_end_matches(']')) as u16, value));
                } else {
                    let register: usize =
                        place.strip_prefix('r').and_then(|digits| digits.parse().ok()).expect("a place");
                    cpu.registers[register] = value;
                }
            }
        }
    }
    true
}

/// Sets the chip to the state before a case; false where the core lacks what the case needs.
fn prepare(chip: &mut Avr, words: &[u16], before: &str) -> bool {
    let cpu = chip.processor_mut();
    cpu.program.erase();
    cpu.bus.set_bytes(&[0; 0x1_0000]);
    (cpu.registers, cpu.sreg, cpu.sp, cpu.pc, cpu.cycles) = ([0; 32], 0, 0, START, 0);
    chip.write(Space::Program, u32::from(START) * 2, &crate::common::bytes_of(words)).unwrap();
    apply(chip, before)
}

/// Runs a case on a chip; `expected` is a second one of its kind.
fn run_case(chip: &mut Avr, expected: &mut Avr, case: &Case) {
    let (assembly, words, before, after, cycles) = case;
    let core = chip.processor().program.core().id.clone();
    let row = row_of(words[0]).unwrap_or_else(|| panic!("{assembly}: no row"));
    let has_it = chip.processor().program.core().cycles[row.op as usize].is_some();
    if !prepare(chip, words, before) {
        assert!(!has_it, "{assembly} on {core}: the core has the instruction, but not what the case needs");
        return;
    }
    if !has_it {
        let untouched = state(chip, None);
        let fault = step(chip).expect_err("an instruction the core lacks");
        assert_eq!(fault, FaultKind::IllegalOpcode, "{assembly} on {core}");
        assert_eq!(state(chip, None), untouched, "{assembly} on {core}");
        return;
    }
    // What is expected is the state before with the changes made by hand.
    assert!(prepare(expected, words, before));
    expected.processor_mut().pc = START + u16::from(row.words());
    assert!(apply(expected, after));
    let faults = [("fault=sleep", FaultKind::Sleep), ("fault=unmapped-address", FaultKind::UnmappedAddress)];
    let expected_fault = faults.iter().find(|(text, _)| after.contains(text)).map(|(_, kind)| *kind);
    let fault = step(chip).err();
    assert_eq!(state(chip, fault), state(expected, expected_fault), "{assembly} [{before}] on {core}");
    let (enhanced, xt) = cycles.split_once('/').unwrap();
    let column = if core == "avrxt" { xt } else { enhanced };
    assert_eq!(chip.processor().cycles.to_string(), column, "cycles of {assembly} [{before}] on {core}");
}

#[test]
fn every_case_on_every_core() {
    for (core, _) in CORES {
        let (mut tested, mut expected) = (chip(core), chip(core));
        let far = tested.processor().program.core().address.eind.is_some();
        let time = |case: &Case| row_of(case.1[0]).unwrap().time();
        let differs = |case: &&Case| FAR_CASES.iter().any(|changed| time(changed) == time(case));
        for case in CASES.iter().filter(|case| !far || !differs(case)) {
            run_case(&mut tested, &mut expected, case);
        }
        for case in FAR_CASES.iter().filter(|_| far) {
            run_case(&mut tested, &mut expected, case);
        }
    }
}

#[test]
fn every_row_has_a_case() {
    let covered: BTreeSet<_> =
        CASES.iter().chain(FAR_CASES).map(|(_, words, ..)| row_of(words[0]).unwrap().time()).collect();
    let missing: Vec<_> = ROWS.iter().map(Row::time).filter(|name| !covered.contains(name)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

#[test]
fn every_row_exists_on_some_core_and_some_cores_lack_some() {
    let lacking = |core: &str| {
        let chip = chip(core);
        let cycles = &chip.processor().program.core().cycles;
        ROWS.iter().filter(|row| cycles[row.op as usize].is_none()).map(Row::time).collect::<Vec<_>>()
    };
    assert!(lacking("avr6").is_empty());
    assert_eq!(lacking("avr51"), ["eijmp", "eicall"]);
    assert_eq!(lacking("avr5"), ["eijmp", "eicall", "elpm", "elpm_z", "elpm_z_inc"]);
    assert_eq!(lacking("avrxt"), ["eijmp", "eicall", "elpm", "elpm_z", "elpm_z_inc", "spm"]);
    let multiplications = ["mul", "muls", "mulsu", "fmul", "fmuls", "fmulsu"];
    let classic = lacking("avr31");
    assert!(multiplications.iter().all(|name| classic.iter().any(|lacking| lacking == name)));
    assert_eq!(classic[0], "movw");
    assert_eq!(classic[7..9], ["eijmp", "eicall"]);
    assert_eq!(classic[9..], ["lpm_z", "lpm_z_inc", "elpm_z", "elpm_z_inc", "spm", "break"]);
    let tiny = lacking("avr25");
    assert!(multiplications.iter().all(|name| tiny.iter().any(|lacking| lacking == name)));
    assert_eq!(tiny[6..], ["eijmp", "jmp", "eicall", "call", "elpm", "elpm_z", "elpm_z_inc"]);
}

/// A wrong expectation must not pass: the same case with one flag, one register and one cycle altered fails.
#[test]
fn the_check_notices_planted_faults() {
    let planted: [Case; 3] = [
        ("add r1,r2", &[0x0c12], "r1=0f r2=01", "r1=10 sreg=HC", "1/1"),
        ("add r1,r2", &[0x0c12], "r1=0f r2=01", "r1=11 sreg=H", "1/1"),
        ("add r1,r2", &[0x0c12], "r1=0f r2=01", "r1=10 sreg=H", "2/2"),
    ];
    let run = |case: &Case| run_case(&mut chip("avr51"), &mut chip("avr51"), case);
    run(&("add r1,r2", &[0x0c12], "r1=0f r2=01", "r1=10 sreg=H", "1/1"));
    for case in &planted {
        assert!(std::panic::catch_unwind(|| run(case)).is_err(), "{case:?} passed");
    }
}

#[test]
fn the_register_file_lies_in_the_data_space_but_not_on_avrxt() {
    for (core, _) in CORES {
        // st X,r5 and ld r6,Y
        let mut chip = chip(core);
        assert!(prepare(&mut chip, &[0x938c, 0x8068], "r24=a5 r26=07 r28=07"));
        step(&mut chip).unwrap();
        step(&mut chip).unwrap();
        assert_eq!(chip.processor().registers[6], 0xa5, "{core}");
        let in_register = chip.processor().registers[7] == 0xa5;
        assert_eq!(in_register, core != "avrxt", "{core}");
    }
}

#[test]
fn every_word_without_a_row_is_illegal() {
    let mut chip = chip("avr51");
    let illegal: Vec<u16> = (0..=u16::MAX).filter(|word| row_of(*word).is_none()).collect();
    assert!(illegal.contains(&0xffff));
    for word in illegal {
        chip.write(Space::Program, 0, &word.to_le_bytes()).unwrap();
        chip.processor_mut().pc = 0;
        let fault = step(&mut chip).unwrap_err();
        assert_eq!(fault, FaultKind::IllegalOpcode, "word {word:04x}");
    }
}

#[test]
fn a_bus_refuses_regions_that_overlap() {
    let region = |base| {
        serde_json::from_value(serde_json::json!(
            {"name": "ram", "space": "data", "kind": "ram", "base": base, "size": 256}
        ))
        .unwrap()
    };
    assert!(FlatBus::new([region(0), region(256)]).is_ok());
    assert!(FlatBus::new([region(0), region(255)]).is_err());
    assert!(FlatBus::new([region(0xff01)]).is_err());
}
