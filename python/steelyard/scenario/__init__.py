"""The digital twin: devices, tasks, buses and plants of a scene, and what protection does to them."""
