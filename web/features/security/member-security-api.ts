import { call } from '../../api/transport.ts'
import type { SecurityApi } from './security-api.tsx'

/** A member's own factors and step-up. Loaded on the first call, since the calls include the schema library. */
const contract = () => import('@atrium/contract/sessions/security.ts')

export const memberSecurityApi: SecurityApi = {
  read: async () => (await call((await contract()).readSecurity, {})).security,
  startProof: async () => (await call((await contract()).startProof, {})).passkey,
  prove: async (given) => call((await contract()).prove, given),
  startTotp: async () => call((await contract()).startTotp, {}),
  confirmTotp: async (code) => call((await contract()).confirmTotp, { code }),
  removeTotp: async () => call((await contract()).removeTotp, {}),
  startPasskey: async () => (await call((await contract()).startPasskey, {})).passkey,
  addPasskey: async (input) => call((await contract()).addPasskey, input),
  renamePasskey: async (input) => call((await contract()).renamePasskey, input),
  removePasskey: async (_id) => call((await contract()).removePasskey, { _id }),
  renewCodes: async () => call((await contract()).renewRecoveryCodes, {}),
}
