/** Paths of the open streams. Events that happen while a stream is cut off follow when it reconnects. */
export const followed = new Set<string>()
