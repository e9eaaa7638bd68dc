type Followed = { data: { is_live: boolean } | null | undefined; isError: boolean; isPaused: boolean }

/** Whether positions are live now: their last answer still says so when the next ones fail or the connection is lost. */
export const areLive = ({ data, isError, isPaused }: Followed): boolean =>
  data?.is_live === true && !isError && !isPaused
