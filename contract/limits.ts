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
  passwordFailureNoticeMs: 6_000,
  complaintNoticeMs: 15_000,
  uploadDisabledMs: 15_000,
  filterDebounceMs: 300,
  complaintSubjectCharsMax: 120,
  complaintDescriptionCharsMax: 2_000,
  /** The board says "999+" beyond: it is counted anew every few seconds, for everybody who has it open. */
  ticketsCountedMax: 1_000,
  ticketMessageCharsMax: 5_000,
  /** Of one conversation: whoever has more to say begins another. */
  ticketMessagesMax: 1_000,
  cannedReplyNameCharsMax: 80,
  cannedRepliesMax: 200,
  searchCharsMax: 80,
  /** Of each group: more are found by one word more. */
  searchHitsMax: 5,
  activityPingMs: 1_000,
  termsCheckMs: 1_000,
  termsNameCharsMax: 120,
  termsTickboxCharsMax: 500,
  /** A long contract has some 40 000; more would not fit into a call in every script. */
  termsTextCharsMax: 60_000,
  termsTemplatesMax: 100,
  /** What one export of who accepted holds; a search makes it smaller. */
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
  ticketFileSizeKbMax: 20_000,
  /** About a minute from a phone: a screen recorded for support, or a look at a KYC document. */
  videoSizeKbMax: 100_000,
  documentTitleCharsMax: 120,
  documentsAtOnceMax: 10,
  /** Of one member, decided or not: whoever has more was asked for too much. */
  documentsMax: 200,
  documentsPageSize: 50,
  /** A KYC document is asked for again so many days before its last valid one. */
  documentRenewalDays: 30,
  fileCategoriesMax: 30,
  validDocumentsMax: 30,
  /** A platform's installer. What is larger has an address of its own, which a link leads to. */
  downloadSizeKbMax: 60_000,
  linkCharsMax: 2_000,
  searchableGroupsOver: 10,
  transactionsPageSize: 15,
  tradesPageSize: 15,
  pendingDepositsPageSize: 15,
  ticketsPageSize: 10,
  noticesPageSize: 15,
  /** The bell says "99+" beyond. */
  noticesCountedMax: 100,
  /** Told of one member at once; the next beat tells on. */
  noticesToldMax: 50,
  /** Undelivered mails in one commit, when all are tried again; whoever asks goes on until none is left. */
  mailsTriedAtOnce: 100,
  requestsPageSize: 25,
  requestSubjectCharsMax: 200,
  requestDescriptionCharsMax: 5_000,
  requestCommentCharsMax: 2_000,
  requestTypeDescriptionCharsMax: 2_000,
  requestTypesMax: 100,
  /** Of one member and not decided yet: whoever has more asks for too much at once. */
  requestsWaitingMax: 100,
  formsMax: 500,
  formStepsMax: 20,
  formFileSizeKbMax: 20_000,
  /** Of one submission: how many answers, how long each, and all of them together. */
  answersMax: 300,
  answerNameCharsMax: 120,
  answerCharsMax: 10_000,
  answersCharsMax: 200_000,
  pageSizeMax: 100,
  pageLinksMax: 5,
  /** The desk's lists of members count no further: nobody needs to know whether it is 40,000 or 41,000. */
  countedMax: 10_000,
  /** Filters that somebody of the staff saves for one list. */
  savedFiltersMax: 20,
  /** Of a platform whose answers get lost: what an administrator may set. */
  settleMs: { min: 1_000, max: 3_600_000 },
  lookAgainMs: { min: 1_000, max: 600_000 },
  leaseMs: { min: 5_000, max: 600_000 },
  placeholderRows: 5,
  accountsUnlimited: -1,
  tradingPasswordCharsMax: 64,
  groupCharsMax: 128,
  /** How long the end of an opening is still told where it was watched. */
  openingToldForMs: 86_400_000,
  openingPollMs: 2_500,
  /** Whole units of the account's currency. */
  demoBalance: '10000',
  /** Practice money a day and demo account, in whole units, unless the brokerage says otherwise. */
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
  /** Sales people that one look-up lists; more are found by their name. */
  salesPeopleShown: 50,
  /** Changes of the referrer that a member's page shows. */
  referralsShown: 50,
  /** What a workspace may set; the most is what stands by default. */
  sessionIdleMinutesMin: 5,
  sessionIdleMinutesMax: 30,
  sessionHoursMax: 12,
  /** A sign-in or a proof no longer ago than this is fresh: it changes passwords and factors without being asked again. */
  freshSignInMinutes: 15,
  cookieDays: 31,
  phonesMax: 5,
  phoneDigitsMin: 5,
  addressesMax: 5,
  addressLineCharsMax: 120,
  placeCharsMax: 80,
  postcodeCharsMax: 20,
  pictureSizeKbMax: 2_000,
  /** A picture is a square: as the portal cuts it, and the most that the server takes. */
  pictureSidePixels: 512,
  pictureSidePixelsMax: 2_048,
  clientsPageSize: 25,
  clientsExportMax: 10_000,
  /** Between the password and the second factor. */
  secondFactorMinutes: 5,
  recoveryCodes: 10,
  passkeysMax: 10,
  passkeyNameCharsMax: 60,
  /** After a reset password or a removed factor nothing is paid out for so long, where the workspace wants it so. */
  withdrawalHoldHours: 24,
} as const

/** Sizes of the specification are kilobytes of 1000 bytes. */
export const bytesPerKb = 1_000
