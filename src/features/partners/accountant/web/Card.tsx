import { Ban, Mail, Send, ShieldCheck, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday, useNow } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { LanguageField } from '#kit/web/fields/SmallChoices.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Dialog, Question } from '#kit/web/parts/Dialog.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import type { MenuEntry } from '#kit/web/parts/Menu.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { callsOf, refreshResource } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { isEmail, useForm } from '#features/base/session/web/index.tsx'
import { LeavesOf } from '#features/base/team/web/index.tsx'
import {
  accessKinds,
  accountants,
  contentNames,
  type Access,
  type Accountant,
  type Content,
} from '../accountants.ts'
import {
  blockAccountant,
  changeAccountant,
  inviteAccountant,
  removeAccountant,
  resendAccountant,
  sendPackage,
  unblockAccountant,
} from '../endpoints.ts'
import { AccountantState } from './dress.tsx'
import './accountant.css'

const tabs = ['details', 'package'] as const
type Tab = (typeof tabs)[number]
const { get } = callsOf(accountants as never)
const refresh = () => refreshResource(accountants as never)

/**
 * The accountant of the business: identity, rights, and the packages sent by email; without a key in the address a
 * new one.
 */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const id = params.userkey
  const { data, error } = useCall(get, { id: id ?? '' }, { enabled: id !== undefined })
  const one = data as unknown as Accountant | undefined
  useTitle(one?.name)
  if (error && !one) return <Failed error={error} />
  if (id === undefined)
    return (
      <>
        <PageHeader
          title={t('screens.newCpa')}
          crumbs={[{ label: t('screens.cpaUser'), href: '/invoice/cpauser' }]}
        />
        <Form key="new" one={undefined} parts={tabs} mayChange />
      </>
    )
  return one ? (
    <Known key={one.id} one={one} tab={params.type === 'package' ? 'package' : 'details'} />
  ) : (
    <Skeleton lines={8} />
  )
}

function Known({ one, tab }: { one: Accountant; tab: Tab }) {
  const t = useWords()
  const now = useNow()
  const may = useCan()
  const [asks, setAsks] = useState(false)
  const mayChange = may('accountant.change') && one.archivedAt === null
  const run = async (deed: () => Promise<unknown>, done: string) => {
    try {
      await deed()
      await refresh()
      banner.success(done)
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const { id, name, email } = one
  const more: MenuEntry[] = !mayChange
    ? []
    : [
        ...(one.state === 'invited'
          ? [
              {
                key: 'resend',
                label: t('team.actions.resend'),
                icon: Mail,
                onPress: () =>
                  void run(() => call(resendAccountant, { id }), t('team.done.invited', { email })),
              },
            ]
          : []),
        ...(one.state === 'active'
          ? [
              {
                key: 'block',
                label: t('team.actions.block'),
                icon: Ban,
                onPress: () =>
                  void run(() => call(blockAccountant, { id }), t('team.done.blocked', { name })),
              },
            ]
          : []),
        ...(one.state === 'blocked'
          ? [
              {
                key: 'unblock',
                label: t('team.actions.unblock'),
                icon: ShieldCheck,
                onPress: () =>
                  void run(() => call(unblockAccountant, { id }), t('team.done.unblocked', { name })),
              },
            ]
          : []),
        {
          key: 'remove',
          label: t('accountant.remove'),
          icon: UserMinus,
          tone: 'danger' as const,
          onPress: () => setAsks(true),
        },
      ]
  const expired = one.expiresAt !== null && new Date(one.expiresAt) < now
  return (
    <>
      <PageHeader
        title={name}
        status={<AccountantState state={one.archivedAt ? 'gone' : one.state} />}
        sub={one.office}
        crumbs={[{ label: t('screens.cpaUser'), href: '/invoice/cpauser' }]}
        {...(more.length ? { more } : {})}
      >
        <Views
          label={t('team.tabs.label')}
          value={tab}
          onChange={(next) => go(`/invoice/editcpa/${id}/${next}`, { replace: true })}
          views={tabs.map((key) => ({ key, label: t(`accountant.tabs.${key}`) }))}
        />
      </PageHeader>
      {one.expiresAt && one.state === 'invited' && (
        <div className="mb-4">
          <Note tone={expired ? 'wait' : 'info'}>
            {expired ? t('team.expired') : t('team.expires', { at: formatMoment(new Date(one.expiresAt)) })}
          </Note>
        </div>
      )}
      <Form key={`${tab}${one.updatedAt}`} one={one} parts={[tab]} mayChange={mayChange} />
      <Question
        isOpen={asks}
        danger
        onClose={() => setAsks(false)}
        title={t('accountant.askRemove', { name })}
        verb={t('accountant.remove')}
        onConfirm={async () => {
          await run(() => call(removeAccountant, { id }), t('team.done.removed', { name }))
          go('/invoice/cpauser')
        }}
      >
        {t('accountant.askRemoveText')}
        {one.state !== 'invited' && <LeavesOf userId={one.personId} deed="remove" />}
      </Question>
    </>
  )
}

function Form({
  one,
  parts,
  mayChange,
}: {
  one: Accountant | undefined
  parts: readonly Tab[]
  mayChange: boolean
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const [now, setNow] = useState(false)
  const start = {
    name: one?.name ?? '',
    office: one?.office ?? '',
    email: one?.email ?? '',
    phone: one?.phone ?? '',
    language: (one?.language ?? lang) as Accountant['language'] | null,
    access: (one?.access ?? 'books') as Access,
    mayExpenses: one?.mayExpenses ?? false,
    mayPost: one?.mayPost ?? false,
    sends: one ? one.sendDay !== null : true,
    sendDay: String(one?.sendDay ?? 10),
    contents: (one?.contents ?? ['income', 'expenses', 'vat']) as Content[],
  }
  const { ref: formRef, ...form } = useForm(
    start,
    ({ name, email, sends, sendDay }) => ({
      name: !one && !name.trim() && 'errors.fields.need',
      email: !one && (!email.trim() ? 'errors.fields.need' : !isEmail(email) && 'errors.fields.email'),
      sendDay: sends && !/^([1-9]|1\d|2[0-8])$/.test(sendDay.trim()) && 'accountant.sendDayHint',
    }),
    async ({ name, email, sends, sendDay, language, ...rest }) => {
      const facts = { ...rest, ...(language ? { language } : {}), sendDay: sends ? Number(sendDay) : null }
      if (one) {
        await call(changeAccountant, { id: one.id, ...facts })
        await refresh()
        banner.success(t('accountant.saved'))
        return
      }
      const made = await call(inviteAccountant, { name, email, ...facts })
      await refresh()
      banner.success(t('team.done.invited', { email }))
      go(`/invoice/editcpa/${made.id}/details`, { replace: true })
    },
  )
  const { values } = form
  const dirty = !one || JSON.stringify(values) !== JSON.stringify(start)
  const empty = values.sends && values.contents.length === 0
  return (
    <form className="ac-form" ref={formRef} onSubmit={form.submit} noValidate>
      {form.rest && <Note tone="late">{form.rest}</Note>}
      {parts.includes('details') && (
        <>
          <Card title={t('accountant.who')}>
            <div className="ac-pair">
              <TextField
                {...form.field('name')}
                label={t('accountants.fields.name')}
                max={120}
                disabled={one !== undefined}
                autoFocus={!one}
              />
              <EmailField
                {...form.field('email')}
                label={t('accountants.fields.email')}
                disabled={one !== undefined}
              />
              <TextField
                {...form.field('office')}
                label={t('accountants.fields.office')}
                max={120}
                disabled={!mayChange}
                optional
              />
              <PhoneField
                {...form.field('phone')}
                label={t('accountants.fields.phone')}
                disabled={!mayChange}
                optional
              />
              <LanguageField
                {...form.field('language')}
                label={t('accountants.fields.language')}
                disabled={!mayChange}
              />
            </div>
          </Card>
          <Card title={t('accountant.sees')}>
            <div className="ac-stack">
              <ChoiceField
                {...form.field('access')}
                onChange={(access) => access && form.set({ access })}
                label={t('accountants.fields.access')}
                hint={t(`accountant.accessHint.${values.access}`)}
                disabled={!mayChange}
                choices={accessKinds.map((value) => ({ value, label: t(`accountants.access.${value}`) }))}
              />
              <FlagField
                {...form.field('mayExpenses')}
                label={t('accountants.fields.mayExpenses')}
                disabled={!mayChange}
              />
              <FlagField
                {...form.field('mayPost')}
                label={t('accountants.fields.mayPost')}
                disabled={!mayChange}
              />
            </div>
          </Card>
        </>
      )}
      {parts.includes('package') && (
        <Card
          title={t('accountant.tabs.package')}
          end={
            one &&
            mayChange &&
            one.contents.length > 0 && (
              <Button kind="soft" size="s" icon={Send} onPress={() => setNow(true)}>
                {t('accountant.sendNow')}
              </Button>
            )
          }
        >
          <div className="ac-stack">
            <p className="hint">{t('accountant.packageText')}</p>
            {one?.sentAt && (
              <p className="hint">{t('accountant.lastSent', { at: formatMoment(new Date(one.sentAt)) })}</p>
            )}
            <FlagField {...form.field('sends')} label={t('accountant.sends')} disabled={!mayChange} />
            {values.sends && (
              <div className="ac-day">
                <TextField
                  {...form.field('sendDay')}
                  label={t('accountant.sendDay')}
                  hint={t('accountant.sendDayHint')}
                  ltr
                  inputMode="numeric"
                  max={2}
                  disabled={!mayChange}
                />
              </div>
            )}
            <fieldset className="ac-contents">
              <legend className="k-label">{t('accountant.contentsTitle')}</legend>
              {contentNames.map((content) => (
                <FlagField
                  key={content}
                  label={t(`accountant.contents.${content}`)}
                  value={values.contents.includes(content)}
                  disabled={!mayChange}
                  onChange={(on) =>
                    form.set({
                      contents: contentNames.filter((each) =>
                        each === content ? on : values.contents.includes(each),
                      ),
                    })
                  }
                />
              ))}
            </fieldset>
            {empty && <Note tone="wait">{t('accountant.needContents')}</Note>}
          </div>
        </Card>
      )}
      {mayChange && dirty && (
        <div className="ac-save">
          <Button
            kind="primary"
            type="submit"
            busy={form.busy}
            {...(empty ? { blocked: t('accountant.needContents') } : {})}
          >
            {t(one ? 'team.actions.save' : 'team.actions.invite')}
          </Button>
          {one && (
            <Button kind="quiet" onPress={() => form.set(start)}>
              {t('team.actions.undo')}
            </Button>
          )}
        </div>
      )}
      {one && now && <SendNow one={one} onClose={() => setNow(false)} />}
    </form>
  )
}

/** The last twelve months, the one before this first: its package is the one that is late. */
function SendNow({ one, onClose }: { one: Accountant; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const { lang } = useLanguage()
  const months = Array.from({ length: 12 }, (_, i) => {
    const at = new Date(`${today.slice(0, 7)}-15T00:00:00Z`)
    at.setUTCMonth(at.getUTCMonth() - i)
    return at.toISOString().slice(0, 7)
  })
  const name = new Intl.DateTimeFormat(lang === 'ar' ? 'ar-IL-u-nu-latn' : lang, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const [month, setMonth] = useState<string>(months[1]!)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      await call(sendPackage, { id: one.id, month })
      await refresh()
      banner.success(t('accountant.queued', { email: one.email }))
      onClose()
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={t('accountant.sendNowTitle')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" icon={Send} busy={busy} onPress={() => void send()}>
            {t('accountant.sendNow')}
          </Button>
        </>
      }
    >
      <ChoiceField
        as="list"
        label={t('accountant.month')}
        value={month}
        onChange={(next) => next && setMonth(next)}
        choices={months.map((value) => ({ value, label: name.format(new Date(`${value}-15T00:00:00Z`)) }))}
      />
    </Dialog>
  )
}
