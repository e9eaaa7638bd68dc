import { call } from '../../api/transport.ts'
import type { SecurityApi } from './security-api.tsx'

/** The same calls for staff, about their own account. */
const contract = () => import('@atrium/contract/sessions/security.ts')

export const deskSecurityApi: SecurityApi = {
  read: async () => (await call((await contract()).readDeskSecurity, {})).security,
  startProof: async () => (await call((await contract()).startDeskProof, {})).passkey,
  prove: async (given) => call((await contract()).proveDesk, given),
  startTotp: async () => call((await contract()).startDeskTotp, {}),
  confirmTotp: async (code) => call((await contract()).confirmDeskTotp, { code }),
  removeTotp: async () => call((await contract()).removeDeskTotp, {}),
  startPasskey: async () => (await call((await contract()).startDeskPasskey, {})).passkey,
  addPasskey: async (input) => call((await contract()).addDeskPasskey, input),
  renamePasskey: async (input) => call((await contract()).renameDeskPasskey, input),
  removePasskey: async (_id) => call((await contract()).removeDeskPasskey, { _id }),
  renewCodes: async () => call((await contract()).renewDeskRecoveryCodes, {}),
}
