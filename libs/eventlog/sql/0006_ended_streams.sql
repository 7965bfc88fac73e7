-- Which streams have ended: what the analysts' views ask of every row.

CREATE INDEX events_ended ON events (partition, stream) WHERE ends_stream;
