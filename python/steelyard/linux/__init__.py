"""Linux devices: their catalogue, what runs on them, what is measured there and beside a control task."""
