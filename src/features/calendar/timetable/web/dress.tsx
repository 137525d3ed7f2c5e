import { CalendarRange, CalendarSync, Clock, MapPin, Shapes, UserRound } from 'lucide-react'
import { dress } from '#kit/web/screens/dress.ts'
import { show } from '#kit/web/parts/shown.ts'
import { classGroups, classKinds, classPlaces, classTrainers } from '../timetable.ts'
import { HoursDialog } from './HoursDialog.tsx'
import { OutsideDialog } from './OutsideDialog.tsx'

dress(classPlaces, {
  icon: MapPin,
  columns: {
    name: { strong: true, phone: 'title' },
    room: { phone: 'line' },
    address: { phone: 'line' },
    seats: { phone: 'amount' },
  },
  actions: (row, t) => [
    {
      key: 'outside',
      label: t('timetable.outside.menu'),
      icon: CalendarSync,
      onPress: () =>
        show((close) => <OutsideDialog placeId={row.id} name={String(row.name)} onClose={close} />),
    },
  ],
})
dress(classKinds, {
  icon: Shapes,
  columns: {
    name: { strong: true, phone: 'title' },
    minutes: { phone: 'line' },
    seats: { phone: 'line' },
    priceAgorot: { phone: 'amount' },
  },
})
dress(classTrainers, {
  icon: UserRound,
  columns: {
    name: { strong: true, phone: 'title' },
    phone: { phone: 'line' },
    payBy: { phone: 'line' },
    payAgorot: { phone: 'amount' },
  },
  actions: (row, t) => [
    {
      key: 'hours',
      label: t('timetable.hours.title'),
      icon: Clock,
      onPress: () => show((close) => <HoursDialog id={row.id} name={String(row.name)} onClose={close} />),
    },
    {
      key: 'outside',
      label: t('timetable.outside.menu'),
      icon: CalendarSync,
      onPress: () =>
        show((close) => <OutsideDialog trainerId={row.id} name={String(row.name)} onClose={close} />),
    },
  ],
})
dress(classGroups, {
  icon: CalendarRange,
  columns: {
    name: { strong: true, phone: 'title' },
    kindId: { phone: 'line' },
    fromDay: { phone: 'line' },
    people: { phone: 'amount' },
  },
})
