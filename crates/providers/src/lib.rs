//! The models: the puppet, which does exactly what the prompt says.
