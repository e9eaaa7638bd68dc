import { limits } from '@atrium/contract/limits.ts'
import { listStatements, readStatement } from '@atrium/contract/statements/calls.ts'
import { Menu } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { cloneElement, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { saveTable } from '../../api/save-table.ts'
import { call } from '../../api/transport.ts'
import { toast } from '../../ui/feedback/toast.ts'
import type { Around } from '../../ui/lazy/lazy.tsx'
import { readerLanguage } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'

export type StatedAccount = { _id: string; platform_login: string }

/** While the ledger is loading there are no statements yet, so the list is requested again this often. */
const readingTriesMax = 10
const readingPauseMs = 1_500

/** With several accounts one is chosen first. */
export function OpenedStatements({
  trigger,
  isOpen,
  setOpen,
  accounts,
}: Around & { accounts: readonly StatedAccount[] }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<StatedAccount>()
  const account = accounts.length === 1 ? accounts[0] : chosen
  const take = useStatement()
  const change = (open: boolean) => {
    setOpen(open)
    if (open) setChosen(undefined)
  }
  return (
    <Menu opened={isOpen} onChange={change} position="bottom-end" shadow="md">
      <Menu.Target>{cloneElement(trigger, { loading: take.isPending })}</Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {account === undefined && <Menu.Label>{t('Choose an account')}</Menu.Label>}
        {account === undefined &&
          accounts.map((one) => (
            <Menu.Item key={one._id} closeMenuOnClick={false} onClick={() => setChosen(one)}>
              {`#${one.platform_login}`}
            </Menu.Item>
          ))}
        {account && <Months account={account} isOpen={isOpen} onChoose={(month) => take.mutate({ account, month })} />}
      </Menu.Dropdown>
    </Menu>
  )
}

type MonthsProps = { account: StatedAccount; isOpen: boolean; onChoose: (month: string) => void }

function Months({ account, isOpen, onChoose }: MonthsProps) {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery({
    queryKey: ['statements', account._id],
    queryFn: async () => (await call(listStatements, { id: account._id })).months,
    enabled: isOpen,
    staleTime: 60_000,
  })
  if (isError && !data)
    return (
      <>
        <Menu.Label>{t('Statements could not be loaded.')}</Menu.Label>
        <Menu.Item closeMenuOnClick={false} onClick={() => refetch()}>
          {t('Try again')}
        </Menu.Item>
      </>
    )
  if (!data) return <Menu.Label>{t('Loading')}</Menu.Label>
  if (data.length === 0) return <Menu.Label>{t('There are no statements for this account yet.')}</Menu.Label>
  return (
    <>
      <Menu.Label>{t('#{{login}}: monthly statements (PDF)', { login: account.platform_login })}</Menu.Label>
      {data.map((month) => (
        <Menu.Item key={month} onClick={() => onChoose(month)}>
          {monthName(month)}
        </Menu.Item>
      ))}
    </>
  )
}

/** Formats the middle of the month, so that no time zone shifts it into another. */
const monthName = (month: string): string =>
  new Intl.DateTimeFormat(readerLanguage(), { month: 'long', year: 'numeric' }).format(
    new Date(`${month}-15T12:00:00Z`),
  )

type Wanted = { account: StatedAccount; month: string }

function useStatement() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: ({ account: { _id, platform_login }, month }: Wanted) =>
      saveTable(readStatement.path.replace(':id', _id), { month }, `statement-${platform_login}-${month}.pdf`),
    retry: (tried, error) => error instanceof ApiError && error.code === 'unavailable' && tried < readingTriesMax,
    retryDelay: readingPauseMs,
    onError: (error) => toast.warning(t(error.message), limits.toastMs),
  })
}
