import { limits } from '@atrium/contract/limits.ts'
import type { passkeyAssertion, passkeyAttestation } from '@atrium/contract/sessions/factors.ts'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { z } from 'zod'
import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { workspaceAddress } from '../../workspaces/address.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'
import type { Factors } from './factors.ts'

type Assertion = z.output<typeof passkeyAssertion>
type Attestation = z.output<typeof passkeyAttestation>

/** The relying party of a passkey: the workspace's configured address, never the host of a request. */
export type Site = { name: string; id: string; origin: string }

export async function siteOf(tx: Tx, actor: Actor): Promise<Site> {
  const workspace = await readWorkspace(tx, actor)
  const { hostname, origin } = new URL(workspaceAddress(actor.context.config, workspace))
  return { name: workspace.name, id: hostname, origin }
}

const timeout = limits.secondFactorMinutes * 60_000
/** EdDSA, ES256, RS256: every authenticator supports one of them. */
const supportedAlgorithmIDs = [-8, -7, -257]

const known = ({ passkeys }: Factors) =>
  passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports }))

export async function requestOf(site: Site, factors: Factors) {
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    allowCredentials: known(factors),
    userVerification: 'required',
    timeout,
  })
  return {
    ...options,
    rpId: site.id,
    timeout,
    userVerification: 'required' as const,
    allowCredentials: list(options.allowCredentials),
  }
}

type Owner = { id: string; email: string; name: string }

export async function creationOf(site: Site, owner: Owner, factors: Factors) {
  const authenticatorSelection = { residentKey: 'preferred', userVerification: 'required' } as const
  const options = await generateRegistrationOptions({
    rpName: site.name,
    rpID: site.id,
    userName: owner.email,
    userDisplayName: owner.name,
    userID: new TextEncoder().encode(owner.id),
    attestationType: 'none',
    excludeCredentials: known(factors),
    authenticatorSelection,
    supportedAlgorithmIDs,
    timeout,
  })
  return {
    ...options,
    rp: { name: site.name, id: site.id },
    timeout,
    attestation: 'none' as const,
    authenticatorSelection: { ...authenticatorSelection, requireResidentKey: false },
    excludeCredentials: list(options.excludeCredentials),
  }
}

type Listed = { id: string; type: 'public-key'; transports?: string[] }
const list = (given: { id: string; transports?: string[] }[] = []): Listed[] =>
  given.map((each) => ({ ...each, type: 'public-key' }))

type Asked = { site: Site; challenge: string }
type Stored = { credential_id: string; public_key: Buffer; counter: bigint | number | string }

/** The new signature counter, or null when key, site, challenge or person does not match. */
export async function verifyAssertion(asked: Asked, stored: Stored, response: Assertion): Promise<number | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: asked.challenge,
      expectedOrigin: asked.site.origin,
      expectedRPID: asked.site.id,
      requireUserVerification: true,
      credential: {
        id: stored.credential_id,
        publicKey: new Uint8Array(stored.public_key),
        counter: Number(stored.counter),
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch (problem) {
    return refusedByLibrary(problem)
  }
}

export async function verifyAttestation(asked: Asked, response: Attestation) {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: asked.challenge,
      expectedOrigin: asked.site.origin,
      expectedRPID: asked.site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    })
    return verified ? registrationInfo.credential : null
  } catch (problem) {
    return refusedByLibrary(problem)
  }
}

/** The library reports every invalid response by throwing. */
function refusedByLibrary(problem: unknown): null {
  if (problem instanceof Error) return null
  throw problem
}
