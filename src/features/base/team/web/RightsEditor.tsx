import { Info } from 'lucide-react'
import { useState } from 'react'
import { documentTypeNames, documentTypes } from '#domain/documents/kinds.ts'
import { isUnlimited } from '#kit/describe/session.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { allScreens } from '#kit/web/shell/menu.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listRules } from '../endpoints.ts'
import { areaText, ruleText, wordOr } from './says.ts'
import './team.css'

export interface RightsValue {
  rules: number[]
  docsAllow: number[]
  hideTotalPrices: boolean
  ownCustomersOnly: boolean
  hideNavHeader: boolean
  isActiveButton?: boolean
}

/** The value with what is being chosen: a list that is still empty although everything is not meant. */
export interface RightsDraft extends RightsValue {
  limited: boolean
  limitedTypes: boolean
}

export const draftOf = (value: RightsValue): RightsDraft => ({
  ...value,
  rules: isUnlimited(value.rules) ? [] : value.rules,
  limited: !isUnlimited(value.rules),
  limitedTypes: value.docsAllow.length > 0,
})

/** What is sent; undefined while something is missing. */
export const givenOf = ({ limited, limitedTypes, ...value }: RightsDraft): RightsValue | undefined =>
  (limited && value.rules.length === 0) || (limitedTypes && value.docsAllow.length === 0)
    ? undefined
    : { ...value, rules: limited ? value.rules : [], docsAllow: limitedTypes ? value.docsAllow : [] }

type Rule = {
  number: number
  name: string
  calls: { name: string; method: string; path: string; summary: string }[]
  reports: { words: string; path: string }[]
}

const toggled = (list: readonly number[], one: number, on: boolean): number[] =>
  (on ? [...list, one] : list.filter((other) => other !== one)).toSorted((a, b) => a - b)

/**
 * Rules by area with what each opens, types of documents, and what is hidden. Rights the caller does not have cannot
 * be granted.
 */
export function RightsEditor({
  value,
  onChange,
  locked,
}: {
  value: RightsDraft
  onChange: (next: RightsDraft) => void
  locked?: boolean
}) {
  const t = useWords()
  const session = useSession()
  const { data } = useCall(listRules, {}, { staleTime: 600_000 })
  const [shown, setShown] = useState<Rule>()
  if (!data || !session) return <Skeleton lines={8} />
  const put = (change: Partial<RightsDraft>) => onChange({ ...value, ...change })
  const free = isUnlimited(session.rules)
  const has = (number: number) => free || session.rules.includes(number)
  const hasType = (id: number) => session.docsAllow.length === 0 || session.docsAllow.includes(id)
  return (
    <>
      <Card title={t('team.rights.role')}>
        <div className="tm-stack">
          <ChoiceField
            hideLabel
            label={t('team.rights.role')}
            value={value.limited ? 'chosen' : 'everything'}
            onChange={(next) => put({ limited: next === 'chosen' })}
            disabled={locked ?? false}
            choices={[
              { value: 'chosen', label: t('team.rights.chosen') },
              ...(free || !value.limited
                ? [{ value: 'everything', label: t('team.rights.everything') }]
                : []),
            ]}
          />
          {value.limited && value.rules.length === 0 && <Note tone="wait">{t('team.rights.needOne')}</Note>}
          {value.limited && (
            <div className="tm-areas">
              {data.areas.map((area) => (
                <fieldset className="tm-area" key={area.name}>
                  <legend className="vh">{areaText(t, area.name)}</legend>
                  <div className="head">
                    <FlagField
                      label={areaText(t, area.name)}
                      value={area.rules.every(({ number }) => value.rules.includes(number))}
                      disabled={(locked ?? false) || !area.rules.every(({ number }) => has(number))}
                      onChange={(on) =>
                        put({
                          rules: area.rules.reduce(
                            (list, { number }) =>
                              toggled(
                                list.filter((one) => one !== number),
                                number,
                                on,
                              ),
                            value.rules,
                          ),
                        })
                      }
                    />
                  </div>
                  {area.rules.map((rule) => (
                    <div className="tm-rule" key={rule.number}>
                      <FlagField
                        label={ruleText(t, rule.name)}
                        value={value.rules.includes(rule.number)}
                        disabled={(locked ?? false) || !has(rule.number)}
                        {...(has(rule.number) ? {} : { hint: t('team.rights.beyond') })}
                        onChange={(on) => put({ rules: toggled(value.rules, rule.number, on) })}
                      />
                      <Button
                        kind="quiet"
                        size="s"
                        icon={Info}
                        label={t('team.rights.opensOf', { rule: ruleText(t, rule.name) })}
                        onPress={() => setShown(rule)}
                      />
                    </div>
                  ))}
                </fieldset>
              ))}
            </div>
          )}
        </div>
      </Card>
      <Card title={t('team.rights.documents')}>
        <div className="tm-stack">
          <ChoiceField
            hideLabel
            label={t('team.rights.documents')}
            value={value.limitedTypes ? 'chosen' : 'all'}
            onChange={(next) => put({ limitedTypes: next === 'chosen' })}
            disabled={locked ?? false}
            choices={[
              ...(session.docsAllow.length === 0 || !value.limitedTypes
                ? [{ value: 'all', label: t('team.rights.documentsAll') }]
                : []),
              { value: 'chosen', label: t('team.rights.documentsChosen') },
            ]}
          />
          {value.limitedTypes && (
            <div className="tm-types">
              {documentTypeNames.map((name) => (
                <FlagField
                  key={name}
                  label={t(`documents.types.${name}`)}
                  value={value.docsAllow.includes(documentTypes[name].id)}
                  disabled={(locked ?? false) || !hasType(documentTypes[name].id)}
                  onChange={(on) => put({ docsAllow: toggled(value.docsAllow, documentTypes[name].id, on) })}
                />
              ))}
            </div>
          )}
        </div>
      </Card>
      <Card title={t('team.rights.sight')}>
        <div className="tm-stack">
          {(['hideTotalPrices', 'ownCustomersOnly', 'hideNavHeader'] as const).map((name) => (
            <FlagField
              key={name}
              label={t(`team.rights.${name}`)}
              value={value[name]}
              disabled={locked ?? false}
              {...(name === 'hideNavHeader' ? {} : { hint: t(`team.rights.${name}Hint`) })}
              onChange={(on) => put({ [name]: on })}
            />
          ))}
          {value.isActiveButton !== undefined && (
            <FlagField
              label={t('team.rights.isActiveButton')}
              value={value.isActiveButton}
              disabled={locked ?? false}
              onChange={(isActiveButton) => put({ isActiveButton })}
            />
          )}
        </div>
      </Card>
      {shown && <Opens rule={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

/** Screens, reports and calls of a rule, as they are declared now. */
function Opens({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const t = useWords()
  const names = [
    ...new Set(allScreens().flatMap((screen) => (screen.rule === rule.name ? [screen.name] : []))),
  ]
  const nothing = names.length === 0 && rule.reports.length === 0 && rule.calls.length === 0
  return (
    <SideSheet isOpen onClose={onClose} title={ruleText(t, rule.name)}>
      <div className="tm-opens">
        <p className="hint">
          {t('team.rights.opens')} · <Num>{rule.number}</Num>
        </p>
        {nothing && <p>{t('team.rights.nothing')}</p>}
        {names.length > 0 && (
          <section>
            <h3>{t('team.rights.screens')}</h3>
            <ul>
              {names.map((name) => (
                <li key={name}>{t(`screens.${name}`)}</li>
              ))}
            </ul>
          </section>
        )}
        {rule.reports.length > 0 && (
          <section>
            <h3>{t('team.rights.reports')}</h3>
            <ul>
              {rule.reports.map(({ words }) => (
                <li key={words}>{wordOr(t, `${words}.title`) ?? words}</li>
              ))}
            </ul>
          </section>
        )}
        {rule.calls.length > 0 && (
          <section>
            <h3>{t('team.rights.calls')}</h3>
            <ul dir="ltr">
              {rule.calls.map((one) => (
                <li key={one.name}>
                  <code title={one.summary}>
                    {one.method} {one.path}
                  </code>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </SideSheet>
  )
}
