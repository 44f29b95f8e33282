"""A content-addressed cache of builds and measurements."""
