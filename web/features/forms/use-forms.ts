import { discardDraft, readDraft } from '@atrium/contract/forms/calls.ts'
import type { FieldType, FormDefinition } from '@atrium/contract/forms/definition.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormQuery } from '../../api/generated/graphql.ts'
import { call, graph } from '../../api/transport.ts'
import { formAccountsQuery, formBanksQuery, formQuery } from './forms.queries.ts'
import type { OwnChoices } from './own-choices.ts'
import { useShapedChoices } from './shaped-choices.ts'

type WireForm = NonNullable<FormQuery['form']>
export type PortalForm = { _id: string; name: string; version: number; definition: FormDefinition }

/** Parses the parts that GraphQL transports as JSON. The server validated the definition when it was saved. */
export function shapeForm({
  steps,
  show_conditions,
  input_name_conditions,
  result_bands,
  ...form
}: WireForm): PortalForm {
  const definition = {
    steps: steps.map(({ fields, ...step }) => ({
      ...step,
      fields: fields.map(({ options, scores, config, ...field }) => ({
        ...field,
        options: read(options, []),
        scores: read(scores, {}),
        config: read(config, {}),
      })),
    })),
    show_conditions: read(show_conditions, {}),
    input_name_conditions: read(input_name_conditions, {}),
    result_bands: read(result_bands, []),
  }
  return { _id: form._id, name: form.name, version: form.version, definition: definition as FormDefinition }
}

const read = (text: string | null | undefined, otherwise: unknown): unknown => (text ? JSON.parse(text) : otherwise)

const key = (formId: string) => ['forms', formId] as const

/** Fetched on every opening, and not refetched while the member fills in the form. */
const onOpening = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false } as const

/** A form and the member's draft; null for an unknown or inaccessible id. */
export function useOpenedForm(formId: string) {
  return useQuery({
    queryKey: key(formId),
    queryFn: async () => {
      const { form } = (await graph(formQuery, { _id: formId })).data
      if (!form) return null
      const { draft, definition } = await call(readDraft, { form: form._id })
      const now = shapeForm(form)
      // A draft is completed in the version in which it was started.
      return draft && definition
        ? { form: { ...now, version: draft.version, definition }, draft }
        : { form: now, draft }
    },
    ...onOpening,
  })
}

export type OpenedForm = NonNullable<ReturnType<typeof useOpenedForm>['data']>

/** Refetches the form and its draft. */
export function useReopening(formId: string) {
  const queries = useQueryClient()
  return {
    reopen: () => queries.resetQueries({ queryKey: key(formId) }),
    startOver: async () => {
      await call(discardDraft, { form: formId })
      await queries.resetQueries({ queryKey: key(formId) })
    },
  }
}

const asksFor = ({ steps }: FormDefinition, type: FieldType) =>
  steps.some(({ fields }) => fields.some((field) => field.type === type))

/** The member's accounts, if the form asks for one. Accounts without permission are not offered. */
export function useOwnChoices(definition: FormDefinition): OwnChoices {
  const accounts = useQuery({
    queryKey: ['forms', 'own-accounts'],
    queryFn: async () => (await graph(formAccountsQuery, {})).data.current_member?.accounts ?? [],
    enabled: asksFor(definition, 'trading_account'),
  })
  const banks = useQuery({
    queryKey: ['forms', 'own-banks'],
    queryFn: async () => (await graph(formBanksQuery, {})).data.bank_accounts,
    enabled: asksFor(definition, 'bank_account'),
  })
  return useShapedChoices(accounts, banks)
}
