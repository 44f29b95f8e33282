"""What is kept of builds and measurements: a content-addressed cache."""
