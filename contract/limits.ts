/** Every number of the product's specification (its section on business constants), once. */
export const limits = {
  loaderDelayMs: 700,
  requestAbortMs: 30_000,
  sectionLoadTimeoutMs: 120_000,
  depositStatusPollMs: 1_500,
  redirectAfterDepositMs: 5_000,
  resetNoticeMs: 15_000,
  resetErrorNoticeMs: 7_000,
  ticketNoticeMs: 10_000,
  toastMs: 5_000,
  toastShortMs: 2_000,
  uploadDisabledMs: 15_000,
  filterDebounceMs: 300,
  activityPingMs: 1_000,
  termsCheckMs: 1_000,
  loginEmailCharsMax: 50,
  /** What a workspace starts with; its setting rules sign-in, reset and change alike. */
  loginPasswordCharsMax: 20,
  /** The most that a workspace may set. */
  passwordCharsCeiling: 128,
  passwordCharsMin: 8,
  commentCharsMax: 500,
  originCharsMax: 120,
  commentCollapsedOverChars: 120,
  receiptSizeKbMax: 5_000,
  documentSizeKbMax: 20_000,
  searchableGroupsOver: 10,
  transactionsPageSize: 15,
  pendingDepositsPageSize: 15,
  ticketsPageSize: 10,
  requestsPageSize: 25,
  pageSizeMax: 100,
  pageLinksMax: 5,
  placeholderRows: 5,
  accountsUnlimited: -1,
  initialDeposit: '0',
  groupNeverOffered: 'manager',
  emailCharsMax: 254,
  resetLinkMinutes: 60,
  /** After a sign-in no longer ago than this a password changes without the current one. */
  freshSignInMinutes: 15,
  cookieDays: 31,
} as const

/** Sizes of the specification are kilobytes of 1000 bytes. */
export const bytesPerKb = 1_000
