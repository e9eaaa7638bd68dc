import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { LazyAround } from '../../ui/lazy/lazy.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { StatedAccount } from './opened-statements.tsx'

const menu = async () => (await import('./opened-statements.tsx')).OpenedStatements

/** The monthly statements of an account as PDFs. Reserves its space while the accounts load. */
export function StatementsMenu({ accounts }: { accounts: readonly StatedAccount[] | undefined }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (accounts?.length === 0) return null
  const trigger = (
    <Button variant="default" leftSection={<IconFileText size={18} stroke={1.5} />} disabled={!accounts}>
      {t('Statements')}
    </Button>
  )
  return <LazyAround popup="menu" part={menu} props={{ trigger, isOpen, setOpen, accounts: accounts ?? [] }} />
}
