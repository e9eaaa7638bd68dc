/** All numbers of the specification's section on business constants. */
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
  passwordFailureNoticeMs: 6_000,
  complaintNoticeMs: 15_000,
  uploadDisabledMs: 15_000,
  filterDebounceMs: 300,
  complaintSubjectCharsMax: 120,
  complaintDescriptionCharsMax: 2_000,
  /** The board shows "999+" beyond this, since every open board recounts every few seconds. */
  ticketsCountedMax: 1_000,
  ticketMessageCharsMax: 5_000,
  /** Of one conversation; after that the member starts another. */
  ticketMessagesMax: 1_000,
  cannedReplyNameCharsMax: 80,
  cannedRepliesMax: 200,
  searchCharsMax: 80,
  /** Per group; a more specific search finds the others. */
  searchHitsMax: 5,
  activityPingMs: 1_000,
  termsCheckMs: 1_000,
  termsNameCharsMax: 120,
  termsTickboxCharsMax: 500,
  /** A long contract has some 40,000; a larger text would not fit into a call in every script. */
  termsTextCharsMax: 60_000,
  termsTemplatesMax: 100,
  /** Maximum rows of an export of acceptances; a search narrows it. */
  loginEmailCharsMax: 50,
  /** The default of a new workspace; the workspace's setting applies to sign-in, reset and change. */
  loginPasswordCharsMax: 20,
  /** The highest value that a workspace may set. */
  passwordCharsCeiling: 128,
  passwordCharsMin: 8,
  commentCharsMax: 500,
  originCharsMax: 120,
  commentCollapsedOverChars: 120,
  receiptSizeKbMax: 5_000,
  documentSizeKbMax: 20_000,
  ticketFileSizeKbMax: 20_000,
  /** About a minute from a phone: a screen recording for support, or a video of a KYC document. */
  videoSizeKbMax: 100_000,
  documentTitleCharsMax: 120,
  documentsAtOnceMax: 10,
  /** Of one member, decided or not. */
  documentsMax: 200,
  documentsPageSize: 50,
  /** Days before the last valid document expires at which a new one is requested. */
  documentRenewalDays: 30,
  fileCategoriesMax: 30,
  validDocumentsMax: 30,
  /** For a platform's installer. Larger ones are linked by URL. */
  downloadSizeKbMax: 60_000,
  linkCharsMax: 2_000,
  searchableGroupsOver: 10,
  transactionsPageSize: 15,
  tradesPageSize: 15,
  pendingDepositsPageSize: 15,
  ticketsPageSize: 10,
  notificationsPageSize: 15,
  /** The bell shows "99+" beyond. */
  notificationsCountedMax: 100,
  /** Sent to one member per heartbeat; the rest follows with the next one. */
  notificationsSentMax: 50,
  /** Dead letters per commit when all are retried; the client repeats the call until none is left. */
  mailsTriedAtOnce: 100,
  requestsPageSize: 25,
  requestSubjectCharsMax: 200,
  requestDescriptionCharsMax: 5_000,
  requestCommentCharsMax: 2_000,
  requestTypeDescriptionCharsMax: 2_000,
  requestTypesMax: 100,
  /** Undecided requests of one member. */
  requestsWaitingMax: 100,
  formsMax: 500,
  formStepsMax: 20,
  formFileSizeKbMax: 20_000,
  /** Of one submission: the number of answers, the length of each, and their total. */
  answersMax: 300,
  answerNameCharsMax: 120,
  answerCharsMax: 10_000,
  answersCharsMax: 200_000,
  pageSizeMax: 100,
  pageLinksMax: 5,
  /** The desk's lists of members stop counting here: an exact total is of no use. */
  countedMax: 10_000,
  /** Saved filters of one staff user for one list. */
  savedFiltersMax: 20,
  /** The range of settings for a platform whose answers get lost. */
  settleMs: { min: 1_000, max: 3_600_000 },
  lookAgainMs: { min: 1_000, max: 600_000 },
  leaseMs: { min: 5_000, max: 600_000 },
  placeholderRows: 5,
  accountsUnlimited: -1,
  tradingPasswordCharsMax: 64,
  groupCharsMax: 128,
  /** How long a watched opening still reports its outcome. */
  openingShownForMs: 86_400_000,
  openingPollMs: 2_500,
  /** Whole units of the account's currency. */
  demoBalance: '10000',
  /** Demo funds per day and demo account, in whole units; the brokerage may override it. */
  demoDepositDaily: '100000',
  initialDeposit: '0',
  groupNeverOffered: 'manager',
  emailCharsMax: 254,
  domainCharsMax: 253,
  urlCharsMax: 2_048,
  formulaCharsMax: 1_000,
  formulaDepthMax: 32,
  staffNameCharsMax: 120,
  nameCharsMax: 120,
  /** A first or a last name. */
  memberNameCharsMax: 120,
  listEntriesMax: 100,
  listWordCharsMax: 80,
  accountLimitMax: 100,
  leverageMax: 2_000,
  leveragesMax: 30,
  logoSizeKbMax: 150,
  resetLinkMinutes: 60,
  invitationDays: 3,
  /** Sales people per search; the others are found by name. */
  salesPeopleShown: 50,
  /** Changes of the referrer that a member's page shows. */
  referralsShown: 50,
  /** The range that a workspace may set; the maximum is the default. */
  sessionIdleMinutesMin: 5,
  sessionIdleMinutesMax: 30,
  sessionHoursMax: 12,
  /** The age up to which a sign-in or proof permits changes of passwords and factors without another one. */
  freshSignInMinutes: 15,
  cookieDays: 31,
  phonesMax: 5,
  phoneDigitsMin: 5,
  addressesMax: 5,
  addressLineCharsMax: 120,
  placeCharsMax: 80,
  postcodeCharsMax: 20,
  pictureSizeKbMax: 2_000,
  /** Pictures are square: the portal's crop, and the server's maximum. */
  pictureSidePixels: 512,
  pictureSidePixelsMax: 2_048,
  clientsPageSize: 25,
  clientsExportMax: 10_000,
  /** Time between the password and the second factor. */
  secondFactorMinutes: 5,
  recoveryCodes: 10,
  passkeysMax: 10,
  passkeyNameCharsMax: 60,
  /** Withdrawal hold after a security change (`hold_withdrawals`), unless the workspace sets another. */
  withdrawalHoldHours: 24,
} as const

/** Sizes of the specification are kilobytes of 1000 bytes. */
export const bytesPerKb = 1_000
