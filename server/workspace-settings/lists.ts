import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { SectionValues, WorkspaceSection } from '@atrium/contract/workspace-settings/desk-calls.ts'
import type { lists as listsShape, VendorSettings } from '@atrium/contract/workspace-settings/lists.ts'
import {
  entriesOf,
  entryKeyOf,
  type ListEntry,
  taxonomyEntities,
} from '@atrium/contract/workspace-settings/taxonomies.ts'
import type { z } from 'zod'
import { refuseFields } from '../foundation/errors.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** Vendors, departments and the portal's lists: their desk form, allowed changes and stored form. */
type Lists = z.output<typeof listsShape>
type Taxonomies = SectionValues<'taxonomies'>['taxonomies']

export function describeLists({ vendors, departments, settings }: Workspace): Lists {
  const { archived_vendors, archived_departments } = settings
  return { vendors, departments, archived_vendors, archived_departments }
}

/** A name may be used by tickets or members, so it can be archived but not removed. */
export function checkLists(before: Lists, after: Lists): void {
  for (const field of ['vendors', 'departments'] as const) {
    const archived = `archived_${field}` as const
    const names = [...after[field], ...after[archived]]
    if (new Set(names.map((name) => name.toLowerCase())).size !== names.length)
      refuseFields({ [field]: [deskTexts.listTwice] })
    if (![...before[field], ...before[archived]].every((name) => names.includes(name)))
      refuseFields({ [field]: [deskTexts.entryGone] })
  }
}

export function describeVendors({ vendors, settings }: Workspace): VendorSettings[] {
  return vendors.map((vendor) => {
    const own = Object.hasOwn(settings.vendor_settings, vendor) ? settings.vendor_settings[vendor] : undefined
    return {
      vendor,
      name: own?.name ?? null,
      accent: own?.accent ?? null,
      support_email: own?.support_email ?? null,
      default_currency: own?.default_currency ?? null,
      departments: own?.departments ?? null,
    }
  })
}

/** The logos of vendors with their own. */
export function describeVendorLogos({ vendors, settings }: Workspace): Record<string, string> {
  const own = Object.entries(settings.vendor_settings).flatMap(([vendor, { logo_url }]) =>
    vendors.includes(vendor) && logo_url ? [[vendor, logo_url]] : [],
  )
  return Object.fromEntries(own)
}

/** Unset values are omitted and follow the workspace. Archived vendors and logos keep theirs. */
export function keepVendors({ vendors, settings }: Workspace, wanted: VendorSettings[]) {
  const settingsOfVendors = new Map(Object.entries(settings.vendor_settings))
  for (const { vendor, ...values } of wanted) {
    if (!vendors.includes(vendor)) refuseFields({ vendor_settings: [deskTexts.entryUnknown] })
    const { logo_url } = settingsOfVendors.get(vendor) ?? {}
    const set = Object.entries(values).filter(([, value]) => value !== null)
    settingsOfVendors.set(vendor, { ...(logo_url !== undefined && { logo_url }), ...Object.fromEntries(set) })
  }
  return { vendor_settings: Object.fromEntries(settingsOfVendors) }
}

export function describeTaxonomies({ settings }: Workspace): Taxonomies {
  return taxonomyEntities.map((entity) => ({ entity, entries: entriesOf(entity, settings.taxonomies) }))
}

/** Order and labels are free; existing entries stay, and a new one gets a key never used before. */
export function keepTaxonomies({ settings }: Workspace, wanted: Taxonomies) {
  const changed = wanted.map(({ entity, entries }) => {
    const known = entriesOf(entity, settings.taxonomies).map(({ key }) => key)
    const sent = entries.flatMap(({ key }) => key ?? [])
    if (new Set(sent).size !== sent.length || !sent.every((key) => known.includes(key)))
      refuseFields({ taxonomies: [deskTexts.entryUnknown] })
    if (!known.every((key) => sent.includes(key))) refuseFields({ taxonomies: [deskTexts.entryGone] })
    const taken = new Set(known)
    const keyed = entries.map((entry): ListEntry => ({ ...entry, key: entry.key ?? newKey(entry.name, taken) }))
    return [entity, keyed] as const
  })
  return { taxonomies: { ...settings.taxonomies, ...Object.fromEntries(changed) } }
}

function newKey(name: string, taken: Set<string>): string {
  const base = entryKeyOf(name)
  let key = base
  for (let count = 2; taken.has(key); count++) key = `${base}-${count}`
  taken.add(key)
  return key
}

/** For the audit log: lists and vendors by name, so that only changed ones are logged. */
export function auditedBySection(section: WorkspaceSection, values: Record<string, unknown>): Record<string, unknown> {
  if (section === 'taxonomies')
    return Object.fromEntries(
      (values.taxonomies as Taxonomies).map(({ entity, entries }) => [
        entity,
        entries.map(({ name, archived }) => (archived ? `${name} (archived)` : name)),
      ]),
    )
  if (section !== 'vendors') return values
  return Object.fromEntries(
    (values.vendor_settings as VendorSettings[]).map(({ vendor, ...own }) => [
      vendor,
      Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null)),
    ]),
  )
}
