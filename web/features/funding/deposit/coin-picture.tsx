/** A disc of our own drawing beside a coin's code, which says the same. */
export function CoinPicture({ url }: { url: string }) {
  return <img src={url} alt="" width={20} height={20} />
}
