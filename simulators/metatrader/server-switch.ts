import type { Server } from 'node:http'
import { closeServer } from './http-server.ts'

export type ServerSwitch = { down(): Promise<void>; up(): Promise<void> }

/** Closes the platform's port and opens it again. */
export function makeServerSwitch(
  first: { server: Server; port: number },
  open: (port: number) => Promise<{ server: Server }>,
  hangUp: () => void,
): ServerSwitch {
  let listening: Server | undefined = first.server
  return {
    down: async () => {
      const closing = listening
      listening = undefined
      if (closing !== undefined) await closeServer(closing, hangUp)
    },
    up: async () => {
      if (listening === undefined) listening = (await open(first.port)).server
    },
  }
}
