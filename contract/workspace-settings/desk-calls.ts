/** The workspace settings that administrators change; each section is saved separately. */

import { z } from 'zod'
import { features, memberPermissions } from '../access/scopes.ts'
import { beneficiaryLimits, knownBankNameCharsMax } from '../banking/beneficiary-limits.ts'
import { defineCall } from '../call.ts'
import { defaultDepositSettings, depositSettings } from '../deposits/settings.ts'
import { logoContent } from '../files/logo-content.ts'
import { limits } from '../limits.ts'
import { seenPicture } from '../revision.ts'
import { deskTexts } from '../staff/texts.ts'
import { singleLine } from '../validators/single-line.ts'
import { withdrawalSettings } from '../withdrawals/calls.ts'
import { chosenDaysShape, knownDaysShape } from '../workspaces/retention.ts'
import { accent, currencyCode, lists, supportEmail, taxonomies, vendors } from './lists.ts'

const ok = z.object({ status: z.literal('ok') })

const openingRule = z.object({
  enabled: z.boolean(),
  account_limit: z
    .int({ error: deskTexts.accountLimit })
    .min(limits.accountsUnlimited, deskTexts.accountLimit)
    .max(limits.accountLimitMax, deskTexts.accountLimit),
  require_kyc: z.boolean(),
})

/** Whether a second factor is optional or required for a group of users. */
export const secondFactorRules = ['optional', 'required'] as const

/** The fields of each section, under their stored names. */
export const workspaceSections = {
  brand: z.object({
    name: singleLine(limits.staffNameCharsMax),
    accent,
    support_email: supportEmail,
  }),
  features: z.object({ features: z.record(z.enum(features), z.boolean()) }),
  accounts: z.object({
    default_currency: currencyCode,
    acc_creation_live_configuration: openingRule,
    acc_creation_demo_configuration: openingRule,
    leverage: z
      .array(
        z
          .int({ error: deskTexts.leverageInvalid })
          .min(1, deskTexts.leverageInvalid)
          .max(limits.leverageMax, deskTexts.leverageInvalid),
      )
      .min(1, deskTexts.leverageMissing)
      .max(limits.leveragesMax)
      .refine((values) => new Set(values).size === values.length, deskTexts.listTwice),
    default_bank_accounts_for_clients: z.array(z.uuid()).max(limits.listEntriesMax),
    /** Whole units of the account's currency, valid in every currency. */
    demo_balance: z.string({ error: deskTexts.demoBalance }).regex(/^(0|[1-9]\d{0,8})$/, deskTexts.demoBalance),
    /** The most that a member may add to a demo account per day. */
    demo_deposit_daily: z
      .string({ error: deskTexts.demoDepositDaily })
      .regex(/^(0|[1-9]\d{0,8})$/, deskTexts.demoDepositDaily),
  }),
  security: z.object({
    password_chars_max: z
      .int({ error: deskTexts.passwordCharsMax })
      .min(limits.loginPasswordCharsMax, deskTexts.passwordCharsMax)
      .max(limits.passwordCharsCeiling, deskTexts.passwordCharsMax),
    session_idle_minutes: z
      .int({ error: deskTexts.sessionIdle })
      .min(limits.sessionIdleMinutesMin, deskTexts.sessionIdle)
      .max(limits.sessionIdleMinutesMax, deskTexts.sessionIdle)
      .nullable(),
    session_hours_max: z
      .int({ error: deskTexts.sessionAge })
      .min(1, deskTexts.sessionAge)
      .max(limits.sessionHoursMax, deskTexts.sessionAge)
      .nullable(),
    second_factor_members: z.enum(secondFactorRules, { error: deskTexts.secondFactorRule }),
    second_factor_staff: z.enum(secondFactorRules, { error: deskTexts.secondFactorRule }),
    hold_withdrawals: z.boolean(),
    destination_rest_hours: z
      .int({ error: deskTexts.beneficiaryCoolingOff })
      .min(0, deskTexts.beneficiaryCoolingOff)
      .max(beneficiaryLimits.beneficiaryCoolingOffHoursMax, deskTexts.beneficiaryCoolingOff),
    bank_name_chars_max: z
      .int({ error: deskTexts.bankNameCharsMax })
      .min(beneficiaryLimits.bankNameCharsMax, deskTexts.bankNameCharsMax)
      .max(beneficiaryLimits.bankNameCharsCeiling, deskTexts.bankNameCharsMax),
    ...chosenDaysShape,
  }),
  withdrawals: withdrawalSettings,
  deposits: depositSettings,
  /** Only denials: every other permission is granted unless it is denied to the member. */
  permissions: z.object({
    default_permissions: z
      .array(
        z.string().refine((entry) => memberPermissions.some((key) => entry === `${key}-`), deskTexts.permissionUnknown),
      )
      .max(limits.listEntriesMax),
  }),
  lists,
  vendors,
  taxonomies,
} as const

export type WorkspaceSection = keyof typeof workspaceSections

/**
 * Saving these needs a fresh proof. `brand` is whom members trust and write to; `accounts` says to which banks members pay, and who opens accounts without an identity;
 * `features` open parts of the portal to every member, as default permissions do; `vendors` have support addresses of their own.
 */
export const provenSections: readonly WorkspaceSection[] = [
  'brand',
  'security',
  'withdrawals',
  'deposits',
  'accounts',
  'permissions',
  'features',
  'vendors',
]
export const workspaceSectionNames = Object.keys(workspaceSections) as WorkspaceSection[]
export type SectionValues<Section extends WorkspaceSection> = z.output<(typeof workspaceSections)[Section]>

/** The number of changes to a section, and the last author. Zero: never changed since the workspace was created. */
const sectionVersion = z.object({ version: z.int(), by: z.string().nullable(), at: z.int().nullable() })

export const deskWorkspace = z.object({
  logo_url: z.string().nullable(),
  /** Logos of the vendors that have their own. */
  vendor_logos: z.record(z.string(), z.string()),
  // The previous version sends only the sections that it knows.
  sections: z.object({
    ...workspaceSections,
    security: workspaceSections.security.extend({ ...knownDaysShape, bank_name_chars_max: knownBankNameCharsMax }),
    withdrawals: withdrawalSettings.extend({
      withdrawal_needs_identity: withdrawalSettings.shape.withdrawal_needs_identity.default(true),
    }),
    deposits: depositSettings
      .extend({
        deposit_needs_identity: depositSettings.shape.deposit_needs_identity.default(true),
        deposit_needs_identity_above: depositSettings.shape.deposit_needs_identity_above.default(
          defaultDepositSettings.deposit_needs_identity_above,
        ),
      })
      .default(defaultDepositSettings),
  }),
  versions: z.partialRecord(z.enum(workspaceSectionNames), sectionVersion),
  /** The brokerage's own bank accounts, as choices. */
  bank_accounts: z.array(z.object({ _id: z.uuid(), name: z.string() })),
})

export const readDeskWorkspace = defineCall({
  method: 'GET',
  path: '/desk/api/workspace',
  access: 'staff',
  right: 'workspace.manage',
  input: z.object({}),
  answer: ok.extend({ workspace: deskWorkspace }),
})

/** The version that the form was loaded with: the server answers 409 if somebody saved since. */
const version = z.int().min(0)

export const changeWorkspace = defineCall({
  method: 'POST',
  path: '/desk/api/workspace/change',
  access: 'staff',
  right: 'workspace.manage',
  input: z.discriminatedUnion('section', [
    workspaceSections.brand.extend({ section: z.literal('brand'), version }),
    workspaceSections.features.extend({ section: z.literal('features'), version }),
    workspaceSections.accounts.extend({ section: z.literal('accounts'), version }),
    // Partial: a page of an older build does not send the newest settings, and they keep their values.
    workspaceSections.security.partial().extend({ section: z.literal('security'), version }),
    workspaceSections.withdrawals
      .partial({ withdrawal_needs_identity: true })
      .extend({ section: z.literal('withdrawals'), version }),
    workspaceSections.deposits
      .partial({ deposit_needs_identity: true, deposit_needs_identity_above: true })
      .extend({ section: z.literal('deposits'), version }),
    workspaceSections.permissions.extend({ section: z.literal('permissions'), version }),
    workspaceSections.lists.extend({ section: z.literal('lists'), version }),
    workspaceSections.vendors.extend({ section: z.literal('vendors'), version }),
    workspaceSections.taxonomies.extend({ section: z.literal('taxonomies'), version }),
  ]),
  answer: ok.extend({ workspace: deskWorkspace }),
})

/** A PNG or JPEG as base64; null removes the logo. */
export const setLogo = defineCall({
  method: 'POST',
  path: '/desk/api/workspace/logo',
  access: 'staff',
  right: 'workspace.manage',
  input: z.object({ logo: logoContent.nullable(), seen: seenPicture }),
  answer: ok.extend({ workspace: deskWorkspace }),
})

/** The same for one vendor; null restores the workspace's logo. */
export const setVendorLogo = defineCall({
  method: 'POST',
  path: '/desk/api/workspace/vendor-logo',
  access: 'staff',
  right: 'workspace.manage',
  input: z.object({ vendor: singleLine(limits.nameCharsMax), logo: logoContent.nullable(), seen: seenPicture }),
  answer: ok.extend({ workspace: deskWorkspace }),
})
