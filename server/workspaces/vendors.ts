import type { Workspace } from './workspace.ts'

/**
 * The workspace as one of its vendors shows it: the vendor's settings, else the workspace's. An unknown vendor is
 * ignored, without an error.
 */
export function asVendor(workspace: Workspace, vendor: string | undefined): Workspace & { vendor: string | null } {
  const { vendors, settings } = workspace
  if (vendor === undefined || !vendors.includes(vendor)) return { ...workspace, vendor: null }
  const own = Object.hasOwn(settings.vendor_settings, vendor) ? settings.vendor_settings[vendor] : undefined
  return {
    ...workspace,
    vendor,
    name: own?.name ?? workspace.name,
    accent: own?.accent ?? workspace.accent,
    // Null is a setting: this vendor has no logo, even if the workspace has one.
    logoUrl: own?.logo_url === undefined ? workspace.logoUrl : own.logo_url,
    supportEmail: own?.support_email === undefined ? workspace.supportEmail : own.support_email,
    departments: own?.departments ?? workspace.departments,
    settings: { ...settings, default_currency: own?.default_currency ?? settings.default_currency },
  }
}
