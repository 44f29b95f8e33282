import { nominal, plot, quantitative } from '../plot';
import { seriesNames, Sheet, type Context, type View } from '../view';

const BARS = 40;
const FIELDS = [
  'primitive',
  'variant',
  'library',
  'operation',
  'mode',
  'message_bytes',
  'threads',
  'device',
  'flags',
];

export const devices: View = {
  id: 'devices',
  title: 'Records of devices',
  kind: 'Linux devices',
  base: 'results',
  make(context: Context) {
    const { app } = context;
    const { records } = app;
    const sheet = new Sheet(
      context,
      devices,
      'Times of real machines with everything else that ran on them: the mean over runs with its 95 % interval, the fastest and the slowest run. They have no part in what compares chips.',
    );
    const drawn = sheet.plot('Time of a call on Linux devices');
    const figures = sheet.figures();
    return () => {
      const rows = app.chosen('results').filter((row) => records.at('device', row) !== null);
      sheet.draw(rows);
      const figure = (name: string, row: number) => records.number(name, row);
      const order = [...rows]
        .filter((row) => figure('time_us', row) !== null)
        .sort((a, b) => (figure('time_us', a) ?? 0) - (figure('time_us', b) ?? 0));
      const kept = order.slice(0, BARS);
      const names = seriesNames(app, kept, FIELDS);
      const columns = [
        'time_us',
        'time_low_us',
        'time_high_us',
        'time_min_us',
        'time_median_us',
        'time_max_us',
        'throughput_bytes_per_s',
      ];
      sheet.said.textContent = order.length
        ? ''
        : 'No record of this choice has times of a device: those of an emulated one are never shown.';
      figures.draw({
        title: 'Time of a call, in µs',
        headings: [
          'device',
          'primitive',
          'variant or library',
          'operation',
          'bytes',
          'threads',
          'mean',
          '95 % from',
          'to',
          'fastest',
          'median',
          'slowest',
          'bytes/s',
        ],
        rows: order.map((row) => ({
          cells: [
            records.text('device', row),
            records.text('primitive', row),
            records.text('library', row) ?? records.text('variant', row),
            records.text('operation', row),
            figure('message_bytes', row),
            figure('threads', row),
            ...columns.map((name) => figure(name, row)),
          ],
          row,
        })),
        digits: [undefined, undefined, undefined, undefined, 0, 0, 2, 2, 2, 2, 2, 2, 0],
      });
      return drawn.draw(
        plot({
          height: 22 * Math.max(1, kept.length),
          layer: [
            {
              mark: { type: 'point', filled: true, size: 60 },
              encoding: {
                y: nominal('series', { sort: null, axis: { labelLimit: 320 } }),
                x: quantitative('x', 'time of a call, µs', true),
                color: nominal('device'),
                tooltip: [{ field: 'series' }, { field: 'x', title: 'mean, µs', format: ',.3f' }],
              },
            },
            {
              mark: 'rule',
              encoding: {
                y: nominal('series', { sort: null }),
                x: { field: 'low', type: 'quantitative' },
                x2: { field: 'high' },
              },
            },
          ],
        }),
        kept.map((row, i) => ({
          row,
          series: names[i],
          device: records.text('device', row),
          x: figure('time_us', row),
          low: figure('time_low_us', row) ?? figure('time_us', row),
          high: figure('time_high_us', row) ?? figure('time_us', row),
        })),
      );
    };
  },
};
