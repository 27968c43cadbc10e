//! Children: own group, stderr kept, asked to stop, then made to, then reported.
