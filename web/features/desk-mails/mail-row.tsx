import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { problemLabels, stateLabels } from './mail-labels.ts'
import parts from './mails.module.css'
import { type DeadLetter, useRetry } from './use-mails.ts'

export function MailRow({ mail, mayHelp }: { mail: DeadLetter; mayHelp: boolean }) {
  const { t } = useTranslation()
  const { label, meaning } = stateLabels[mail.state]
  return (
    <div className={parts.row}>
      <span className={parts.name}>
        <bdi>{mail.subject}</bdi>
        <StatusPill meaning={meaning} label={t(label)} />
      </span>
      <span className={parts.more}>
        <span className={parts.line}>
          <bdi>{mail.recipient}</bdi>
          {mail.member && (
            <>
              {' · '}
              <Link to="/members/{-$memberId}" params={{ memberId: mail.member._id }}>
                {t('{{name}}, customer {{number}}', { name: mail.member.name, number: mail.member.customer_number })}
              </Link>
            </>
          )}
        </span>
        <span className={parts.line}>
          {t(problemLabels(mail))} {mail.problem && <code>{mail.problem}</code>}
        </span>
        <span className={parts.line}>
          {t('Attempts: {{tries}}', { tries: mail.tries })}
          {' · '}
          <Ago at={mail.settled_at} />
        </span>
        {!mail.can_be_tried && (
          <span className={parts.line}>{t('It contained a password link, which is not stored. Send a new one.')}</span>
        )}
      </span>
      {mayHelp && <Actions mail={mail} />}
    </div>
  )
}

function Actions({ mail }: { mail: DeadLetter }) {
  const { t } = useTranslation()
  const { again, leave } = useRetry(mail._id)
  const onError = (error: Error) => toast.refused(t(error.message))
  const isBusy = again.isPending || leave.isPending
  return (
    <span className={parts.acts} data-group="sm" data-above="sm">
      {mail.can_be_tried && (
        <Button
          size="xs"
          variant="default"
          loading={again.isPending}
          disabled={isBusy}
          aria-label={t('Try again: {{subject}}, to {{recipient}}', mail)}
          onClick={() => again.mutateAsync().then(() => toast.done(t('The email is being sent again.')), onError)}
        >
          {t('Try again')}
        </Button>
      )}
      <Button
        size="xs"
        variant={mail.can_be_tried ? 'subtle' : 'default'}
        loading={leave.isPending}
        disabled={isBusy}
        aria-label={t('Dismiss: {{subject}}, to {{recipient}}', mail)}
        onClick={() => leave.mutateAsync().then(() => toast.done(t('The email was dismissed.')), onError)}
      >
        {t('Dismiss')}
      </Button>
    </span>
  )
}
