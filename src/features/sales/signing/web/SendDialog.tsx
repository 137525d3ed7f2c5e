import { Plus, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { fold } from '#domain/fold.ts'
import { addDays } from '#domain/day.ts'
import { call, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { EmailField, PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { go } from '#kit/web/routes/place.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { languageNames, languages } from '#kit/web/words/language.ts'
import { useWords, type Language } from '#kit/web/words/words.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { getSignSettings, listGroups, sendTemplate, type TemplateAnswer } from '../endpoints.ts'
import { byTurns } from '../flow.ts'
import { channels, identities, type SignerInput } from '../shapes.ts'

type Given = Omit<SignerInput, 'email' | 'phone' | 'language'> & { email: string; phone: string }

/** Somebody of a group whose role the template does not have. */
type Unfit = Omit<Given, 'role'> & { roleName: string }

const isBlank = ({ name, email, phone }: Given): boolean => !name && !email && !phone

const someone = (role: string): Given => ({
  role,
  name: '',
  email: '',
  phone: '',
  identity: 'link',
  channel: 'mail',
})

/** Who signs in which role, how each is reached and told apart, and until when. */
export function SendDialog({ of, onClose }: { of: TemplateAnswer; onClose: () => void }) {
  const t = useWords()
  const today = useToday()
  const roles = of.roles.filter(({ id }) => of.fields.some(({ role }) => role === id))
  const { data: settings } = useCall(getSignSettings, {})
  const { data: groups } = useCall(listGroups, {})
  const [customer, setCustomer] = useState<{ key: string; label: string } | null>(null)
  const [signers, setSigners] = useState<Given[]>(roles.map(({ id }) => someone(id)))
  const [unfit, setUnfit] = useState<Unfit[]>([])
  const [message, setMessage] = useState('')
  const [copies, setCopies] = useState('')
  const [sum, setSum] = useState<number | null>(null)
  const [day, setDay] = useState<string | null>()
  const [language, setLanguage] = useState<Language | null>(null)
  const [mode, setMode] = useState<'once' | 'each'>('once')
  const expires = day === undefined ? addDays(today, settings?.expireDays ?? 30) : day
  const change = (at: number, what: Partial<Given>) =>
    setSigners(signers.map((one, n) => (n === at ? { ...one, ...what } : one)))
  const choose = async (next: { key: string; label: string } | null) => {
    setCustomer(next)
    if (!next) return
    const row = await call(callsOf(customers).get, { id: next.key })
    setSigners((all) =>
      all.map((one, at) =>
        at === 0 && !one.name
          ? {
              ...one,
              name: String(row.contact || row.name).slice(0, 120),
              email: String(row.email ?? ''),
              phone: String(row.mobile ?? row.phone ?? ''),
            }
          : one,
      ),
    )
    if (row.language) setLanguage(row.language as Language)
  }
  const placesOf = (people: readonly Given[]) =>
    new Map(byTurns(roles, people).map(({ id, order }) => [id, order]))
  /** As they will sign; beside each other as the template has them. */
  const inPlaces = (people: readonly Given[]): Given[] => {
    const places = placesOf(people)
    const at = (role: string) => roles.findIndex(({ id }) => id === role)
    return people.toSorted((a, b) => places.get(a.role)! - places.get(b.role)! || at(a.role) - at(b.role))
  }
  /** Somebody whom no role fitted signs in this one after all. */
  const fit = (at: number, role: string) => {
    const { roleName: _, ...person } = unfit[at]!
    setSigners(
      inPlaces([...signers.filter((one) => one.role !== role || !isBlank(one)), { ...person, role }]),
    )
    setUnfit(unfit.toSpliced(at, 1))
  }
  const useGroup = (id: string | null) => {
    const group = groups?.rows.find((one) => one.id === id)
    if (!group) return
    const byName = new Map(roles.map((one) => [fold(one.name), one.id]))
    const made: Given[] = []
    const left: Unfit[] = []
    for (const [at, { role, email, phone, ...person }] of group.people.entries()) {
      const one = {
        ...person,
        email: email ?? '',
        phone: phone ?? '',
        ...(group.inTurn ? { turn: at + 1 } : {}),
      }
      const roleId = byName.get(fold(role))
      if (roleId) made.push({ ...one, role: roleId })
      else left.push({ ...one, roleName: role })
    }
    // Turns are those of one group: what another one said before counts no more.
    const others = signers
      .filter((one) => !made.some(({ role }) => role === one.role))
      .map(({ turn: _, ...one }) => one)
    setSigners(inPlaces([...made, ...others]))
    setUnfit(left)
    if (group.copies.length) setCopies(group.copies.map(({ email }) => email).join(', '))
  }
  const send = async () => {
    const { id } = await call(sendTemplate, {
      id: of.id,
      signers: signers.map((one) => ({
        ...one,
        email: one.email.trim() || null,
        phone: one.phone.trim() || null,
      })),
      message,
      copies: copies
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map((email) => ({ name: '', email })),
      mode,
      ...(customer ? { customerId: customer.key } : {}),
      ...(language ? { language } : {}),
      ...(sum === null ? {} : { sumAgorot: sum }),
      ...(expires ? { expiresDay: expires } : {}),
    })
    void queryClient.invalidateQueries({ queryKey: ['signRequests.list'] })
    onClose()
    banner.success(t('signing.send.sent'))
    go(`/invoice/signrequest/${id}`)
  }
  const places = placesOf(signers)
  const inOrder = new Set(places.values()).size > 1
  const names = signers.flatMap((_, at) =>
    ['name', 'email', 'phone', 'role'].map((key) => `signers.${at}.${key}`),
  )
  return (
    <FormDialog
      title={t('signing.send.title', { name: of.name })}
      verb={t('signing.send.verb')}
      icon={Send}
      m
      names={[...names, 'message', 'copies', 'sumAgorot', 'expiresDay', 'customerId']}
      onClose={onClose}
      onSubmit={send}
    >
      {(refusal) => (
        <>
          <RefField
            label={t('signing.send.customer')}
            value={customer}
            onChange={(next) => void choose(next)}
            optional
            clearable
            search={async (q, signal) => {
              const { rows } = await call(
                callsOf(customers).list,
                { size: 10, q: q || undefined },
                { signal },
              )
              return rows.map((row) => ({
                key: row.id,
                label: String(row.name),
                hint: (row.email as string | null) ?? undefined,
              }))
            }}
          />
          {groups && groups.rows.length > 0 && (
            <ChoiceField
              as="list"
              label={t('signing.send.group')}
              optional
              value={null}
              onChange={useGroup}
              choices={groups.rows.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          {unfit.length > 0 && (
            <Note tone="wait">
              <div className="sg-stack">
                <p>{t('signing.send.unfit', { count: unfit.length })}</p>
                {unfit.map((person, at) => (
                  <ChoiceField
                    key={`${person.name}/${person.roleName}`}
                    as="list"
                    label={t('signing.send.unfitRole', { name: person.name, role: person.roleName })}
                    optional
                    value={null}
                    onChange={(next) => next && fit(at, next)}
                    choices={roles.map(({ id, name }) => ({ value: id, label: name }))}
                  />
                ))}
              </div>
            </Note>
          )}
          {inOrder && <p className="hint">{t('signing.send.inOrder')}</p>}
          {signers.map((person, at) => {
            const role = roles.find(({ id }) => id === person.role)
            return (
              <fieldset key={at} className="sg-person">
                <legend className="font-medium">
                  {inOrder && (
                    <>
                      <Num>{places.get(person.role)}</Num>
                      {'. '}
                    </>
                  )}
                  <bdi>{role?.name}</bdi>
                </legend>
                <TextField
                  label={t('signing.send.name')}
                  value={person.name}
                  onChange={(name) => change(at, { name })}
                  {...refusal(`signers.${at}.name`, person.name)}
                />
                <div className="sg-two">
                  <EmailField
                    label={t('signing.send.email')}
                    value={person.email}
                    optional={person.channel !== 'mail'}
                    onChange={(email) => change(at, { email })}
                    {...refusal(`signers.${at}.email`, person.email)}
                  />
                  <PhoneField
                    label={t('signing.send.phone')}
                    value={person.phone}
                    optional={person.channel === 'mail' || person.channel === 'person'}
                    onChange={(phone) => change(at, { phone })}
                    {...refusal(`signers.${at}.phone`, person.phone)}
                  />
                </div>
                <ChoiceField
                  label={t('signing.send.channel')}
                  value={person.channel}
                  onChange={(next) => change(at, { channel: next ?? 'mail' })}
                  choices={channels.map((value) => ({ value, label: t(`signing.channel.${value}`) }))}
                />
                <ChoiceField
                  label={t('signing.send.identity')}
                  value={person.identity}
                  onChange={(next) => change(at, { identity: next ?? 'link' })}
                  choices={identities.map((value) => ({ value, label: t(`signing.identity.${value}`) }))}
                />
                <span className="sg-row">
                  <Button
                    kind="quiet"
                    size="s"
                    icon={Plus}
                    onPress={() => setSigners(signers.toSpliced(at + 1, 0, someone(person.role)))}
                  >
                    {t('signing.send.another')}
                  </Button>
                  {signers.filter(({ role: one }) => one === person.role).length > 1 && (
                    <Button
                      kind="quiet"
                      size="s"
                      icon={Trash2}
                      onPress={() => setSigners(signers.toSpliced(at, 1))}
                    >
                      {t('signing.send.removePerson')}
                    </Button>
                  )}
                </span>
              </fieldset>
            )
          })}
          <LongText
            label={t('signing.send.message')}
            value={message}
            onChange={setMessage}
            rows={3}
            max={2000}
            optional
            {...refusal('message', message)}
          />
          <div className="sg-two">
            <DayField
              label={t('signing.send.expires')}
              value={expires ?? null}
              onChange={setDay}
              {...refusal('expiresDay', expires)}
            />
            {(roles.some(({ above }) => above !== null) ||
              of.fields.some(({ kind, amountAgorot }) => kind === 'pay' && !amountAgorot)) && (
              <MoneyField
                label={t('signing.send.sum')}
                value={sum}
                onChange={setSum}
                optional
                {...refusal('sumAgorot', sum)}
              />
            )}
          </div>
          <TextField
            label={t('signing.send.copies')}
            hint={t('signing.send.copiesHint')}
            optional
            value={copies}
            onChange={setCopies}
            {...refusal('copies', copies)}
          />
          <ChoiceField
            label={t('signing.send.language')}
            value={language}
            optional
            onChange={setLanguage}
            choices={languages.map((value) => ({ value, label: languageNames[value] }))}
          />
          <ChoiceField
            label={t('signing.send.mode')}
            hint={t(`signing.mode.${mode}.hint`)}
            value={mode}
            onChange={(next) => setMode(next ?? 'once')}
            choices={(['once', 'each'] as const).map((value) => ({
              value,
              label: t(`signing.mode.${value}`),
            }))}
          />
        </>
      )}
    </FormDialog>
  )
}
