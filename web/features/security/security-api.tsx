import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import type * as contract from '@atrium/contract/sessions/security.ts'
import { createContext, type ReactNode, useContext } from 'react'

export type Security = CallAnswer<typeof contract.readSecurity>['security']
export type Passkey = Security['passkeys'][number]
export type GivenProof = CallInput<typeof contract.prove>
export type PasskeyRequest = CallAnswer<typeof contract.startProof>['passkey']
export type PasskeyCreation = CallAnswer<typeof contract.startPasskey>['passkey']
export type Added = CallAnswer<typeof contract.confirmTotp>

/** The calls of one app, for members or for staff, behind one interface. */
export type SecurityApi = {
  read(): Promise<Security>
  startProof(): Promise<PasskeyRequest>
  prove(given: GivenProof): Promise<unknown>
  startTotp(): Promise<{ secret: string; uri: string }>
  confirmTotp(code: string): Promise<Added>
  removeTotp(): Promise<{ msg: string[] }>
  startPasskey(): Promise<PasskeyCreation>
  addPasskey(input: CallInput<typeof contract.addPasskey>): Promise<Added>
  renamePasskey(input: CallInput<typeof contract.renamePasskey>): Promise<unknown>
  removePasskey(_id: string): Promise<{ msg: string[] }>
  renewCodes(): Promise<{ recovery_codes: string[]; msg: string[] }>
}

const SecurityContext = createContext<SecurityApi | null>(null)

export function SecurityApiProvider({ api, children }: { api: SecurityApi; children: ReactNode }) {
  return <SecurityContext value={api}>{children}</SecurityContext>
}

export function useSecurityApi(): SecurityApi {
  const api = useContext(SecurityContext)
  if (!api) throw new Error('useSecurityApi outside of SecurityApiProvider')
  return api
}
