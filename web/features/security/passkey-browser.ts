import { notSent } from '../../api/api-error.ts'
import type { PasskeyCreation, PasskeyRequest } from './security-api.tsx'

/** The browser's side of passkeys. The library is loaded on first use. */
const library = () => import('@simplewebauthn/browser')

/** Passkeys require a domain name and a secure connection. */
export const knowsPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

export async function makePasskey(optionsJSON: PasskeyCreation) {
  const { startRegistration } = await library()
  const made = await plainly(() =>
    startRegistration({ optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'] }),
  )
  return { ...made, clientExtensionResults: {} } // The server does not read them.
}

export async function signWithPasskey(optionsJSON: PasskeyRequest) {
  const { startAuthentication } = await library()
  const signed = await plainly(() =>
    startAuthentication({ optionsJSON: optionsJSON as Parameters<typeof startAuthentication>[0]['optionsJSON'] }),
  )
  return { ...signed, clientExtensionResults: {} }
}

/** Replaces the browser's errors by plain messages. */
async function plainly<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (problem) {
    const name = problem instanceof Error ? problem.name : ''
    if (name === 'InvalidStateError') throw notSent('This device has a passkey for this account already.')
    if (name === 'SecurityError') throw notSent('Passkeys do not work at this address.')
    throw notSent('The passkey was not used. Try again, or choose another method.')
  }
}
