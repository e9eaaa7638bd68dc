const ways = {
  card: '<rect x="9" y="12" width="22" height="16" rx="3"/><path d="M9 17.5h22M13 23.5h4"/>',
  wallet:
    '<path d="M28 14v-2.5a1.5 1.5 0 0 0-1.5-1.5H12a2.5 2.5 0 0 0 0 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H12a2.5 2.5 0 0 1-2.5-2.5V12.5"/><path d="M30 20h-4a2.5 2.5 0 0 0 0 5h4"/>',
  bank: '<path d="M10 30h20M11 17h18M20 10l9 7H11zM14 17v13M20 17v13M26 17v13"/>',
  coins: '<circle cx="16" cy="16" r="6"/><path d="M24.4 18.5a6 6 0 1 1-5.9 5.9"/>',
}

/** The payment method category of a provider. */
export type WayToPay = keyof typeof ways

/**
 * The picture of a provider until the brokerage uploads a logo: logos are trademarks, and a drawing that resembles one
 * misleads. A square tile with its own background, so that it looks the same in light and dark mode.
 */
export function pictureOf(way: WayToPay): string {
  const tile = '<rect width="40" height="40" rx="9" fill="#5b6877"/>'
  const lines = `<g fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">${ways[way]}</g>`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${tile}${lines}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}
