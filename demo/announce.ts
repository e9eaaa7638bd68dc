import type { Config } from '../server/config.ts'
import { demoPassword, signIns } from './harbour-markets.ts'

/** Prints the address and the sign-ins. */
export function announce(config: Config, { port, ready }: { port: number; ready: string }): void {
  console.log(`
  Atrium is ready after ${ready}: http://localhost:${port}

    Member        http://localhost:${port}/login   ${signIns.member}
    Second member                               ${signIns.second}
    New member                                  ${signIns.new}
    Member in verification                      ${signIns.verifying}
    Accounts in yuan and dong                   ${signIns.asia}
    Sales person                                ${signIns.sales}
    Desk          http://localhost:${port}/desk    ${signIns.staff}
    Password of each: ${demoPassword}
    Mailbox       http://localhost:${port}/dev/mailbox

  Stop with Ctrl+C. Data stays in ${config.dataDirectory}.
`)
}
