import type { PlatformWorld } from '../metatrader/platform.ts'

/** Differences between builds and set-ups of real servers, which an adapter must live with. */
export type Switches = {
  numbersAsNumbers: boolean
  lowerCaseTotal: boolean
  withoutExtVolumes: boolean
  emptyList: '[]' | '1' | '13'
  /** Sets a cookie at sign-in and demands it afterwards. */
  cookie: boolean
  /** The first bytes of the challenge are zero, which breaks clients that turn it into a number. */
  leadingZeroRand: boolean
  /** The server does not know the password: its proof is wrong. */
  wrongServerProof: boolean
  /** Every sign-in is refused with this code. */
  authCode: number | null
  accountantAllowed: boolean
  /** Fields of an account that are kept otherwise than they were written, without a word. Empty: dropped. */
  altered: Record<string, string>
  personalDataVisible: boolean
  passwordClasses: 'four' | 'two-of-three'
  /** The platform's clock is wrong by this much. */
  clockShiftSeconds: number
}

export const usualSwitches: Switches = {
  numbersAsNumbers: false,
  lowerCaseTotal: false,
  withoutExtVolumes: false,
  emptyList: '[]',
  cookie: false,
  leadingZeroRand: false,
  wrongServerProof: false,
  authCode: null,
  accountantAllowed: true,
  altered: {},
  personalDataVisible: true,
  passwordClasses: 'four',
  clockShiftSeconds: 0,
}

export type World = PlatformWorld<Switches>
