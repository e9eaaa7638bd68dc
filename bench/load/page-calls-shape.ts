export type RecordedCall = { method: string; path: string; body?: string; perMinute: number }
/** `untouched`, `touched`: after it has opened, while nobody is there and while somebody moves the mouse. */
export type PageCalls = {
  page: string
  opening: number
  streams: string[]
  untouched: RecordedCall[]
  touched: RecordedCall[]
}
