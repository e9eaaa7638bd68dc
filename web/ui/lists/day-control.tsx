import { DaySpanFields } from '../fields/day-span-fields.tsx'

type Days = {
  search: { from?: string | undefined; to?: string | undefined }
  change: (change: { from: string | null; to: string | null }) => void
}

/** The day fields of a list with the filters `from` and `to`. */
export const dayControl = ({ search: { from, to }, change }: Days) => (
  <DaySpanFields
    span={{ ...(from && { from }), ...(to && { to }) }}
    onChange={({ from = null, to = null }) => change({ from, to })}
  />
)
