import type { PlatformWorld } from '../metatrader/platform.ts'

/** Differences between builds and configurations of real servers, which an adapter must handle. */
export type Switches = {
  numbersAsNumbers: boolean
  lowerCaseTotal: boolean
  withoutExtVolumes: boolean
  emptyList: '[]' | '1' | '13'
  /** Sets a cookie at sign-in and requires it afterwards. */
  cookie: boolean
  /** The first bytes of the challenge are zero, which breaks clients that convert it to a number. */
  leadingZeroRand: boolean
  /** The server does not know the password: its proof is wrong. */
  wrongServerProof: boolean
  /** Every sign-in is refused with this code. */
  authCode: number | null
  accountantAllowed: boolean
  /** Account fields that are stored with another value than sent, without an error. An empty value drops the field. */
  altered: Record<string, string>
  personalDataVisible: boolean
  /** Groups that the manager login may not see, while it still reads accounts in them by login. */
  hiddenGroups: readonly string[]
  passwordClasses: 'four' | 'two-of-three'
  /** The offset of a wrong platform clock. */
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
  hiddenGroups: [],
  passwordClasses: 'four',
  clockShiftSeconds: 0,
}

export type World = PlatformWorld<Switches>
