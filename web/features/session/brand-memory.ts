/** The stored brand of the last visit, used from the first paint on. */
export type Brand = { name: string; accent: string; logo_url: string | null; support_email: string | null }

const key = 'atrium.brand'

export function rememberBrand(brand: Brand): void {
  localStorage.setItem(key, JSON.stringify(brand))
}

export function rememberedBrand(): Brand | null {
  try {
    const brand: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isBrand(brand) ? brand : null
  } catch {
    // An unreadable entry counts as absent.
    return null
  }
}

function isBrand(value: unknown): value is Brand {
  if (typeof value !== 'object' || value === null) return false
  return 'name' in value && 'accent' in value && /^#[0-9a-f]{6}$/i.test(String(value.accent))
}
