/**
 * The addresses that the program may connect to for a workspace: administrators type them, and internal hosts trust
 * this machine. In production internal addresses are closed unless the operator opens a network (`PLATFORM_NETWORKS`);
 * elsewhere simulators run on this machine.
 */

import { lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

type Reach = { production: boolean; platformNetworks: readonly string[] }

const inward = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '::/128', '::1/128', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23'],
  ...['2001:db8::/32', '2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]

export const isNetwork = (text: string): boolean => {
  const [address = '', bits = '', more] = text.split('/')
  const family = isIP(address)
  return family !== 0 && more === undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

const closed = listOf(inward)

export function isReachable({ production, platformNetworks }: Reach, address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  if (!production) return true
  // The block list also matches IPv4 addresses mapped to IPv6.
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  return !closed.check(address, kind) || listOf(platformNetworks).check(address, kind)
}

/** For `connect`: checks the resolved address each time, so a name cannot be pointed inward after it was saved. */
export function guardedLookup(reach: Reach): LookupFunction {
  return (hostname, options, callback) =>
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error) {
        callback(error, [])
        return
      }
      const open = found.filter(({ address }) => isReachable(reach, address))
      const [first] = open
      if (!first) callback(new Error('This address is in a private network.'), [])
      else if (options.all) callback(null, open)
      else callback(null, first.address, first.family)
    })
}
