import { Button } from '@mantine/core'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { readerLanguage } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useTryingAll } from './use-mails.ts'

/** Retries all failed emails in one step, for example after an outage of the mail server. */
export function TryAll({ q }: { q: string | undefined }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const trying = useTryingAll()
  const ask = async () => {
    const yes = await confirm({
      title: q ? t('Retry these emails?') : t('Retry all emails?'),
      body: (
        <>
          <p>
            {q
              ? t('Every undelivered email that matches “{{words}}” is sent again, on all pages of the list.', {
                  words: q,
                })
              : t('Every undelivered email is sent again, on all pages of the list.')}
          </p>
          <p>{t('Emails that may have arrived stay here, because they could arrive twice.')}</p>
        </>
      ),
      action: t('Retry all'),
    })
    if (!yes) return
    // The button may unmount before the answer, so the callbacks are attached to the promise.
    trying.mutateAsync({ q }).then(report, (error: Error) => toast.refused(t(error.message)))
  }
  const report = (tried: number) => {
    if (tried === 0) toast.done(t('There was nothing to retry.'))
    else toast.done(t('Emails being sent again: {{shown}}', { shown: count(tried) }))
  }
  return (
    <Button size="xs" variant="default" loading={trying.isPending} onClick={ask}>
      {t('Retry all')}
    </Button>
  )
}

const count = (number: number): string => new Intl.NumberFormat(readerLanguage()).format(number)
