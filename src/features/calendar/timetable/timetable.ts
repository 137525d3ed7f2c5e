import { defineResource, type Row } from '#kit/describe/resource.ts'
import {
  choice,
  color,
  day,
  email,
  flag,
  longText,
  money,
  number,
  phone,
  ref,
  text,
} from '#kit/fields/field.ts'

const allow = { see: 'calendar.see', change: 'calendar.setUp' }

/** Where classes are held. */
export const classPlaces = defineResource({
  name: 'classPlaces',
  table: 'class_places',
  title: 'name',
  hint: 'address',
  fields: {
    name: text({ need: true, max: 80 }),
    room: text({ max: 80, start: '' }),
    address: text({ max: 200, start: '' }),
    seats: number(),
    opens: text({ max: 5, start: '' }),
    closes: text({ max: 5, start: '' }),
    notes: longText({ max: 2000, start: '' }),
  },
  list: {
    columns: ['name', 'room', 'address', 'seats', 'opens', 'closes'],
    filters: ['seats'],
    sort: ['name', 'asc'],
  },
  form: [
    { section: 'main', fields: ['name', 'room', 'address', 'seats'] },
    { section: 'hours', fields: ['opens', 'closes', 'notes'] },
  ],
  searchIn: ['name', 'room', 'address'],
  unique: ['name'],
  allow,
  screens: { list: '/invoice/calanderlocations', form: '/invoice/calanderlocations' },
})

/** What is given: classes with seats, and appointments with one person. */
export const classKinds = defineResource({
  name: 'classKinds',
  table: 'class_kinds',
  title: 'name',
  fields: {
    name: text({ need: true, max: 80 }),
    color: color({ start: '#0b7a6b' }),
    isAppointment: flag({ start: false }),
    minutes: number({ need: true, start: 60 }),
    seats: number({ need: true, start: 10 }),
    priceAgorot: money({ start: 0 }),
    bufferBefore: number({ start: 0 }),
    bufferAfter: number({ start: 0 }),
    leadMinutes: number({ start: 0 }),
    aheadDays: number({ start: 30 }),
    cancelHours: number({ start: 12 }),
    lateFeeAgorot: money({ start: 0 }),
    noShowFeeAgorot: money({ start: 0 }),
    strikes: number(),
    debtLimitAgorot: money(),
    needsHealth: flag({ start: false }),
    isPublic: flag({ start: true }),
    itemId: ref('items'),
    about: longText({ max: 2000, start: '' }),
  },
  list: {
    columns: ['name', 'minutes', 'seats', 'priceAgorot', 'cancelHours', 'isPublic', 'isAppointment'],
    filters: ['isAppointment', 'isPublic', 'needsHealth'],
    sort: ['name', 'asc'],
  },
  // Six fields are shown; bookings, cancelling, entry and looks open on demand.
  isBrief: true,
  form: [
    { section: 'main', fields: ['isAppointment', 'name', 'minutes', 'seats', 'priceAgorot', 'isPublic'] },
    { section: 'booking', fields: ['leadMinutes', 'aheadDays', 'bufferBefore', 'bufferAfter'] },
    { section: 'cancelling', fields: ['cancelHours', 'lateFeeAgorot', 'noShowFeeAgorot', 'strikes'] },
    { section: 'entry', fields: ['debtLimitAgorot', 'needsHealth'] },
    { section: 'looks', fields: ['color', 'about', 'itemId'] },
  ],
  searchIn: ['name'],
  unique: ['name'],
  allow,
  screens: { list: '/invoice/calanderclasses', form: '/invoice/calanderclasses' },
})
export type ClassKind = Row<typeof classKinds>

export const payWays = ['class', 'head', 'hour'] as const

/** A person who gives classes, and the pay for one. */
export const classTrainers = defineResource({
  name: 'classTrainers',
  table: 'class_trainers',
  title: 'name',
  hint: 'phone',
  fields: {
    name: text({ need: true, max: 120 }),
    userId: ref('agents'),
    phone: phone(),
    email: email(),
    color: color({ start: '#5b6660' }),
    payBy: choice(payWays, { need: true, start: 'class' }),
    payAgorot: money({ start: 0, rule: 'calendar.pay' }),
    supplierId: ref('suppliers'),
    about: longText({ max: 1000, start: '' }),
  },
  list: {
    columns: ['name', 'userId', 'phone', 'payBy', 'payAgorot'],
    filters: ['payBy'],
    sort: ['name', 'asc'],
  },
  form: [
    { section: 'main', fields: ['name', 'userId', 'phone', 'email', 'color', 'about'] },
    { section: 'pay', fields: ['payBy', 'payAgorot', 'supplierId'] },
  ],
  searchIn: ['name'],
  allow,
  screens: { list: '/invoice/calanderclasses?part=trainers', form: '/invoice/calanderclasses?part=trainers' },
})

/** A course: the same people from its first day to its last. */
export const classGroups = defineResource({
  name: 'classGroups',
  table: 'class_groups',
  title: 'name',
  fields: {
    name: text({ need: true, max: 80 }),
    kindId: ref('classKinds', { need: true }),
    fromDay: day({ need: true }),
    toDay: day(),
    priceAgorot: money({ start: 0 }),
    notes: longText({ max: 2000, start: '' }),
    people: number({ computed: true }),
    classes: number({ computed: true }),
  },
  list: {
    columns: ['name', 'kindId', 'fromDay', 'toDay', 'people', 'classes', 'priceAgorot'],
    filters: ['kindId', 'fromDay', 'toDay'],
    sort: ['fromDay', 'desc'],
  },
  form: [{ section: 'main', fields: ['name', 'kindId', 'fromDay', 'toDay', 'priceAgorot', 'notes'] }],
  searchIn: ['name'],
  allow,
  screens: { list: '/invoice/calandergroups', form: '/invoice/calandergroups' },
})

export const classStates = ['planned', 'held', 'cancelled'] as const
export const seriesUnits = ['day', 'week', 'month'] as const
