import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Boundary } from '../feedback/boundary.tsx'
import { Callout } from '../feedback/state.tsx'
import { useTranslation } from '../text/use-translation.ts'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

/** A QR code whose code is loaded on first use. Without it, the same text below it still works. */
export function LoadedQrCode({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation()
  return (
    <Boundary
      fallback={<Callout meaning="amber">{t('The QR code could not be loaded. Please copy the text below.')}</Callout>}
    >
      <Suspense fallback={<Skeleton height={200} width={200} mx="auto" />}>
        <QrCode text={text} label={label} />
      </Suspense>
    </Boundary>
  )
}
