export type RecordedCall = { method: string; path: string; body?: string; perMinute: number }
/** `untouched`, `touched`: calls after opening, with an idle user and with a moving mouse. */
export type PageCalls = {
  page: string
  opening: number
  streams: string[]
  untouched: RecordedCall[]
  touched: RecordedCall[]
}
