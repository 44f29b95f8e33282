"""The digital twin: devices, tasks, buses and plants of a scene, and the effect of protection on them."""
