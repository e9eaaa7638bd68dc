import { Skeleton } from '@mantine/core'
import type { AsyncRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazySection } from '../api/section.ts'
import { Page } from '../ui/layout/page.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import type { Heading } from './headings.ts'

/**
 * A page whose heading appears while its code still loads. The router does not wait for the code, so a route calls `fetchCode`
 * from its loader.
 */
export function headingFirst(heading: Heading, load: () => Promise<Record<string, unknown>>, name: string) {
  const Loaded = lazySection(load, name as never) as AsyncRouteComponent<object>
  const page = () => (
    <Suspense fallback={<PendingPage {...heading} />}>
      <Loaded />
    </Suspense>
  )
  // The screen itself shows a failed load.
  return Object.assign(page, { fetchCode: () => void Loaded.preload?.()?.catch(() => undefined) })
}

function PendingPage({ title, help }: Heading) {
  const { t } = useTranslation()
  return (
    <Page title={t(title)} help={t(help)}>
      <div role="status" aria-label={t('Loading')} aria-busy>
        <Skeleton height={224} radius={12} />
      </div>
    </Page>
  )
}
