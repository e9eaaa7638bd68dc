import { limits } from '@atrium/contract/limits.ts'
import { changePlatform } from '@atrium/contract/platforms/desk-calls.ts'

import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { call } from '../../api/transport.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { SavedForm } from '../../ui/forms/saved-form.tsx'
import { useRowFocus } from '../../ui/forms/use-row-focus.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { moved } from './moves.ts'
import parts from './platforms.module.css'
import { RowActions } from './row-actions.tsx'
import { type Platform, platformGroupsQuery, usePlatformForm } from './use-platforms.ts'

type Group = Platform['groups'][number]

/** The platform's groups that members can choose, with the names shown to them. */
export function GroupsPart({ platform }: { platform: Platform }) {
  const { t } = useTranslation()
  const form = usePlatformForm(
    platform,
    { name: 'Name', client_server: 'Server name', groups: 'Groups on offer' },
    ({ name, groups, client_server }) => ({ name, groups, client_server: client_server ?? '' }),
    ({ client_server: server, ...values }, version) =>
      call(changePlatform, {
        id: platform._id,
        version,
        ...values,
        client_server: server.trim() === '' ? null : server,
      }),
  )
  const { values, change, errorOf } = form
  const focus = useRowFocus<HTMLUListElement, HTMLInputElement>()
  const remove = (index: number) => change({ groups: values.groups.filter((_, at) => at !== index) })
  const put = (index: number, part: Partial<Group>) =>
    change({ groups: values.groups.map((group, at) => (at === index ? { ...group, ...part } : group)) })
  return (
    <SavedForm
      title={t('Name and groups')}
      help={t('Members see the names that you enter here, in this order. Groups are created on the platform.')}
      form={form}
    >
      <TextInput
        label={t('Name')}
        charsMax={limits.nameCharsMax}
        value={values.name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('Server name')}
        description={t(
          'The server that members choose in MetaTrader to sign in. They see it with each of their accounts.',
        )}
        charsMax={limits.nameCharsMax}
        value={values.client_server}
        error={errorOf('client_server')}
        onChange={(event) => change({ client_server: event.currentTarget.value })}
      />
      <ul ref={focus.list} data-stack="sm" aria-label={t('Groups on offer')}>
        {values.groups.map((group, index) => (
          <li key={group.name} className={parts.entry}>
            <div className={parts.fields}>
              <TextInput
                label={t('Shown as')}
                description={<span className={parts.code}>{group.name}</span>}
                charsMax={limits.nameCharsMax}
                value={group.alias}
                onChange={(event) => put(index, { alias: event.currentTarget.value })}
              />
              <Select
                label={t('Type of accounts')}
                allowDeselect={false}
                data={[
                  { value: 'live', label: t('Live') },
                  { value: 'demo', label: t('Demo') },
                ]}
                value={group.kind}
                onChange={(kind) => put(index, { kind: kind === 'demo' ? 'demo' : 'live' })}
              />
            </div>
            <RowActions
              name={group.alias}
              ending="take"
              onMove={(step) => change({ groups: moved(values.groups, index, step) })}
              onEnd={() => focus.removed(index, () => remove(index))}
            />
          </li>
        ))}
      </ul>
      {errorOf('groups') && (
        <p className={parts.problem} role="alert">
          {errorOf('groups')}
        </p>
      )}
      <GroupPicker
        input={focus.adding}
        platform={platform}
        taken={values.groups.map(({ name }) => name)}
        onPick={(name) => change({ groups: [...values.groups, groupOf(name)] })}
      />
    </SavedForm>
  )
}

/** A suggestion that staff can correct: most platforms name demo groups this way. */
const groupOf = (name: string): Group => ({
  name,
  alias: name.split('\\').at(-1) ?? name,
  kind: /^demo/i.test(name) ? 'demo' : 'live',
})

/** A platform may have thousands of groups; the search finds those that are not shown. */
const shownMax = 200

type GroupPickerProps = {
  input: Ref<HTMLInputElement>
  platform: Platform
  taken: string[]
  onPick: (name: string) => void
}

function GroupPicker({ input, platform, taken, onPick }: GroupPickerProps) {
  const { t } = useTranslation()
  const { data, error, isFetching } = useQuery({ ...platformGroupsQuery(platform._id), enabled: platform.enabled })
  const free = data?.filter(({ name }) => !taken.includes(name)) ?? []
  const said = () => {
    if (!platform.enabled) return t('Groups are listed once the platform is connected and switched on.')
    if (error) return t(error.message)
    if (isFetching) return t('Querying the platform\u2026')
    return free.length === 1
      ? t('1 more group on the platform')
      : t('{{count}} more groups on the platform', { count: free.length })
  }
  return (
    <Select
      ref={input}
      label={t('Add a group of the platform')}
      description={said()}
      placeholder={t('Choose a group')}
      searchable
      limit={shownMax}
      disabled={free.length === 0}
      nothingFoundMessage={t('No matching group')}
      data={free.map(({ name, currency }) => ({ value: name, label: `${name} (${currency})` }))}
      value={null}
      onChange={(name) => name && onPick(name)}
    />
  )
}
