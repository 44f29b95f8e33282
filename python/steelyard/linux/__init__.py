"""Linux devices: their catalogue, their programs, and measurements on them, also beside a control task."""
