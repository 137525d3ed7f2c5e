import { UsersRound, X } from 'lucide-react'
import { useState } from 'react'
import { dayInJerusalem, type Day } from '#domain/day.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { show } from '#kit/web/parts/shown.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { dressMore } from '#kit/web/screens/dress.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { searchIn } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '#features/registers/parties/customers.ts'
import { classGroups } from '#features/calendar/timetable/timetable.ts'
import { refreshClasses } from '#features/calendar/timetable/web/index.tsx'
import { groupPeople, setGroupPeople } from '../endpoints.ts'
import './bookings.css'
import '#features/calendar/timetable/web/timetable.css'

dressMore('classGroups', {
  actions: (row, t) => [
    {
      key: 'people',
      label: t('bookings.group.people'),
      icon: UsersRound,
      onPress: () => show((close) => <PeopleDialog id={row.id} name={String(row.name)} onClose={close} />),
    },
  ],
})

/** Courses: the same people from the first day to the last. */
export const Screen = () => <ListScreen resource={classGroups} archive />

interface Member {
  customerId: string
  name: string
  fromDay: Day | null
  toDay: Day | null
}

/** Who belongs to a course: they have their seats in all its classes that are still to be. */
function PeopleDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useWords()
  const may = useCan()('calendar.change')
  const { data } = useCall(groupPeople, { id })
  const [changed, setMembers] = useState<Member[]>()
  const members =
    changed ??
    data?.rows.map((one) => ({
      customerId: one.customerId,
      name: one.customerName,
      fromDay: one.fromDay,
      toDay: one.toDay,
    })) ??
    []
  const put = (customerId: string, change: Partial<Member>) =>
    setMembers(members.map((one) => (one.customerId === customerId ? { ...one, ...change } : one)))
  return (
    <FormDialog
      title={t('bookings.group.of', { name })}
      verb={may ? t('kit.forms.save') : undefined}
      isDisabled={!data}
      names={members.flatMap((_, n) => [
        `people.${n}.customerId`,
        `people.${n}.fromDay`,
        `people.${n}.toDay`,
      ])}
      onClose={onClose}
      onSubmit={async () => {
        const { booked, cancelled, full } = await call(setGroupPeople, {
          id,
          people: members.map(({ customerId, fromDay, toDay }) => ({
            customerId,
            fromDay: fromDay ?? '',
            toDay,
          })),
        })
        await refreshClasses()
        onClose()
        toast(t('bookings.group.done', { booked, cancelled, full }))
      }}
    >
      {(error) =>
        !data ? (
          <Skeleton lines={4} />
        ) : (
          <>
            {members.length === 0 && <p className="hint">{t('bookings.group.empty')}</p>}
            {members.map((one, n) => (
              <fieldset key={one.customerId} className="bk-stack">
                <legend>
                  <b dir="auto">{one.name}</b>
                </legend>
                <div className="tt-two">
                  <DayField
                    label={t('bookings.group.from')}
                    value={one.fromDay}
                    onChange={(fromDay) => put(one.customerId, { fromDay })}
                    {...error(`people.${n}.fromDay`, one.fromDay)}
                  />
                  <DayField
                    label={t('bookings.group.to')}
                    optional
                    value={one.toDay}
                    onChange={(toDay) => put(one.customerId, { toDay })}
                    {...error(`people.${n}.toDay`, one.toDay)}
                  />
                  {may && (
                    <div>
                      <Button
                        kind="quiet"
                        size="s"
                        icon={X}
                        onPress={() =>
                          setMembers(members.filter(({ customerId }) => customerId !== one.customerId))
                        }
                      >
                        {t('kit.actions.remove')}
                      </Button>
                    </div>
                  )}
                </div>
              </fieldset>
            ))}
            {may && (
              <RefField
                label={t('bookings.group.add')}
                optional
                value={null}
                onChange={(one) =>
                  one &&
                  setMembers([
                    ...members.filter(({ customerId }) => customerId !== one.key),
                    {
                      customerId: one.key,
                      name: one.label,
                      fromDay: dayInJerusalem(new Date()),
                      toDay: null,
                    },
                  ])
                }
                search={searchIn(customers)}
              />
            )}
          </>
        )
      }
    </FormDialog>
  )
}
