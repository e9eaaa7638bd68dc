import type { Server } from 'node:http'
import { closeServer } from './doors.ts'

export type Power = { down(): Promise<void>; up(): Promise<void> }

/** Closes the platform's port and opens it again. */
export function powerOf(
  first: { server: Server; port: number },
  open: (port: number) => Promise<{ server: Server }>,
  hangUp: () => void,
): Power {
  let door: Server | undefined = first.server
  return {
    down: async () => {
      const closing = door
      door = undefined
      if (closing !== undefined) await closeServer(closing, hangUp)
    },
    up: async () => {
      if (door === undefined) door = (await open(first.port)).server
    },
  }
}
