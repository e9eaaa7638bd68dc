/** A decorative disc beside a coin's code. */
export function CoinPicture({ url }: { url: string }) {
  return <img src={url} alt="" width={20} height={20} />
}
