import type { Server } from 'node:http'
import { type CommonControl, commonControl, type Seeding } from './control.ts'
import { openControlServer } from './control-server.ts'
import { closeServer } from './http-server.ts'
import type { PlatformOptions, PlatformOutside } from './platform.ts'
import { priceFeed } from './price-feed.ts'
import { makeServerSwitch } from './server-switch.ts'

export type Simulator<Control> = {
  port: number
  url: string
  controlUrl: string
  control: Control
  stop(): Promise<void>
}

type Parts<Switches, Own> = {
  openServer(port: number): Promise<{ server: Server; port: number }>
  /** Closes all connections, as a restarting server does. */
  hangUp(): void
  usualSwitches: Switches
  seeding: Seeding
  /** Control functions of this platform only. */
  ownControl: Own
}

/** Starts the platform's server, and the control server for tests and the demo. */
export async function startSimulator<Switches extends object, Note, Own extends object>(
  outside: PlatformOutside<Switches, Note>,
  options: PlatformOptions,
  parts: Parts<Switches, Own>,
): Promise<Simulator<CommonControl<Switches, Note> & Own>> {
  const { world, waiting } = outside
  const { openServer, hangUp, usualSwitches, seeding, ownControl } = parts
  const first = await openServer(options.port)
  const serverSwitch = makeServerSwitch(first, openServer, hangUp)
  const feed = priceFeed(world.market)
  if (options.movingPrices ?? true) feed.resume()
  const control = { ...commonControl(outside, { serverSwitch, feed, hangUp, usualSwitches, seeding }), ...ownControl }
  const controlServer = await openControlServer(control, options.controlPort ?? 0)
  return {
    port: first.port,
    url: `http://127.0.0.1:${first.port}`,
    controlUrl: `http://127.0.0.1:${controlServer.port}`,
    control,
    stop: async () => {
      feed.pause()
      waiting.forget()
      await serverSwitch.down()
      await closeServer(controlServer.server, () => controlServer.server.closeAllConnections())
      world.state.close()
    },
  }
}
