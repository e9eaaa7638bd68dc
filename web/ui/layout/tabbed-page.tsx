import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { RecordError } from '../feedback/record-error.tsx'
import { FormSkeleton } from '../forms/form-skeleton.tsx'
import { Tabs } from '../lists/tabs.tsx'
import { useTranslation } from '../text/use-translation.ts'
import { TextLink } from './link-button.tsx'
import { WorkPage } from './work-page.tsx'

type Place = Pick<LinkProps, 'to' | 'params'>

type TabbedPageProps<Thing> = {
  labels: { all: string; parts: string; loading: string; notFound: string }
  parts: readonly { name: string; label: string }[]
  chosen: string
  /** The address of a part; without an argument, that of the list. */
  placeOf: (part?: string) => Place
  found: { data: Thing | undefined; error: Error | null; refetch: () => unknown }
  /** Shown above the parts, beside the back link. */
  head: (thing: Thing) => ReactNode
  children: (thing: Thing) => ReactNode
}

/** A staff page for a record with several parts; the address names the selected part. */
export function TabbedPage<Thing>({ labels, parts, chosen, placeOf, found, head, children }: TabbedPageProps<Thing>) {
  const { t } = useTranslation()
  const { data, error, refetch } = found
  return (
    <WorkPage>
      <div data-group="md" data-lines="sm" data-align="center">
        <TextLink {...placeOf()}>{labels.all}</TextLink>
        {data && head(data)}
      </div>
      <Tabs isWide label={labels.parts} tabs={parts} chosen={chosen} placeOf={placeOf} />
      {data ? (
        children(data)
      ) : error ? (
        <RecordError
          error={error}
          notFound={labels.notFound}
          holds={t('Nothing was changed.')}
          onRetry={() => refetch()}
        />
      ) : (
        <FormSkeleton label={labels.loading} />
      )}
    </WorkPage>
  )
}
