(() => {
  'use strict';

  const report = JSON.parse(document.getElementById('report-data').textContent);
  const marks = new Map(Object.entries(report.marks));
  const ROWS_SHOWN = 300;
  const LEGEND_COLUMN_PX = 190;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');

  /* Every text of a record goes through textContent or setAttribute, never through markup. */
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
  }

  function number(value, digits) {
    return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }

  function exactly(value) {
    if (value === null) return '–';
    if (typeof value !== 'number') return String(value);
    return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
  }

  /* A compiler's whole output stands in the details; its first line is enough for a row. */
  function short(name, text) {
    return name === 'error' ? text.split('\n', 1)[0] : text;
  }

  function rowsOf({ count, columns }) {
    const values = Object.entries(columns).map(([name, column]) => {
      if (Array.isArray(column)) return [name, (index) => column[index]];
      if (column.texts) return [name, (index) => column.texts[column.places[index]]];
      return [name, () => column.always];
    });
    return Array.from({ length: count }, (_, index) => Object.fromEntries(values.map(([name, at]) => [name, at(index)])));
  }

  function compare(a, b) {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    return String(a).localeCompare(String(b), 'en', { numeric: true });
  }

  function distinct(rows, name) {
    return [...new Set(rows.map((row) => row[name]))].sort((a, b) => (a === null) - (b === null) || compare(a, b));
  }

  function selector(label, onchange) {
    const select = element('select', { onchange });
    return { select, holder: element('label', {}, label, select) };
  }

  /* Options carry their position, not their text, so that null, '' and any other text stay apart. */
  function offer(select, values, keep, all) {
    const options = values.map((value, index) => element('option', { value: index }, value === null ? 'none' : String(value)));
    if (all) options.unshift(element('option', { value: 'all' }, all));
    select.replaceChildren(...options);
    const index = keep === undefined ? -1 : values.indexOf(keep);
    select.value = index >= 0 ? String(index) : all ? 'all' : '0';
  }

  function chosen(select, values) {
    return select.value === 'all' || select.value === '' ? undefined : values[Number(select.value)];
  }

  // Tables

  class Table {
    constructor(section, source) {
      this.source = source;
      this.rows = rowsOf(source.rows);
      this.table = section.querySelector('table');
      this.more = section.querySelector('.more');
      this.sort = source.sort;
      this.limit = ROWS_SHOWN;
      this.everyColumn = false;
      this.opened = new Set();
      this.texts = this.rows.map((row) => source.searched.map((name) => row[name] ?? '').join(' ').toLowerCase());
      this.makeFilters(section.querySelector('.filters'));
      this.draw();
    }

    makeFilters(form) {
      form.addEventListener('submit', (event) => event.preventDefault());
      const changed = () => {
        this.limit = ROWS_SHOWN;
        this.draw();
      };
      this.search = element('input', { type: 'search', placeholder: 'any words', oninput: changed });
      form.append(element('label', {}, 'Search', this.search));
      this.filters = [];
      for (const name of this.source.filters) {
        const values = distinct(this.rows, name);
        if (values.length < 2) continue;
        const { select, holder } = selector(this.label(name), changed);
        select.name = name;
        offer(select, values, undefined, 'all');
        this.filters.push({ name, select, values });
        form.append(holder);
      }
      if (this.source.columns.some((column) => column.extra)) {
        const box = element('input', {
          type: 'checkbox',
          onchange: () => {
            this.everyColumn = box.checked;
            this.draw();
          },
        });
        form.append(element('label', { class: 'check' }, box, 'all columns'));
      }
      this.clear = element('button', { type: 'button', class: 'plain', onclick: () => this.reset() }, 'clear filters');
      form.append(this.clear);
    }

    label(name) {
      const column = this.source.columns.find((each) => each.name === name);
      return column ? column.label : name;
    }

    reset() {
      this.search.value = '';
      for (const { select } of this.filters) select.value = 'all';
      this.limit = ROWS_SHOWN;
      this.draw();
      this.search.focus();
    }

    matching() {
      const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = this.filters
        .map(({ name, select, values }) => [name, select.value, chosen(select, values)])
        .filter(([, value]) => value !== 'all');
      const found = [];
      this.rows.forEach((row, index) => {
        if (wanted.every(([name, , value]) => row[name] === value) && words.every((word) => this.texts[index].includes(word)))
          found.push(index);
      });
      this.clear.hidden = !words.length && !wanted.length;
      const { name, descending } = this.sort;
      const sign = descending ? -1 : 1;
      // Missing values stay last in either direction; equal ones keep their order.
      return found.sort((a, b) => {
        const x = this.rows[a][name];
        const y = this.rows[b][name];
        if (x === null || y === null) return (x === null) - (y === null) || a - b;
        return sign * compare(x, y) || a - b;
      });
    }

    draw() {
      const columns = this.source.columns.filter((column) => this.everyColumn || !column.extra);
      const found = this.matching();
      const shown = found.slice(0, this.limit);
      const body = element('tbody');
      for (const index of shown) {
        body.append(this.row(index, columns));
        if (this.opened.has(index)) body.append(this.details(index, columns));
      }
      this.table.replaceChildren(this.head(columns), body);
      this.more.replaceChildren(`${number(found.length, 0)} of ${number(this.rows.length, 0)} rows`);
      if (found.length > shown.length) {
        this.more.append(
          element('button', { type: 'button', onclick: () => { this.limit = Infinity; this.draw(); } },
            `show the other ${number(found.length - shown.length, 0)}`),
        );
      }
    }

    head(columns) {
      const cells = columns.map((column) => {
        const sorted = this.sort.name === column.name ? (this.sort.descending ? 'descending' : 'ascending') : null;
        const sort = () => {
          this.sort = { name: column.name, descending: sorted === 'ascending' };
          this.draw();
          this.table.querySelector(`th[data-name="${column.name}"] button`).focus();
        };
        return element('th', { scope: 'col', 'aria-sort': sorted, 'data-name': column.name, class: column.number ? 'number' : null },
          element('button', { type: 'button', title: column.doc, onclick: sort }, column.label),
          column.unit && column.unit !== column.label.toLowerCase() ? element('span', { class: 'unit' }, column.unit) : null);
      });
      return element('thead', {}, element('tr', {}, ...cells));
    }

    row(index, columns) {
      const row = this.rows[index];
      const open = this.opened.has(index);
      const toggle = (event) => {
        if (String(window.getSelection())) return;
        event.stopPropagation();
        if (!this.opened.delete(index)) this.opened.add(index);
        this.draw();
        this.table.querySelector(`[data-index="${index}"] .open-row`).focus({ preventScroll: true });
      };
      const cells = columns.map((column, position) => {
        const value = row[column.name];
        const text = value === null ? '–' : column.number ? number(value, column.digits) : short(column.name, String(value));
        const classes = [column.number ? 'number' : '', value === null ? 'absent' : '', column.name === 'cycles' ? 'main' : '',
          column.name === 'error' ? 'reason' : ''].filter(Boolean).join(' ');
        const cell = element('td', { class: classes || null });
        if (position === 0) cell.append(element('button', { type: 'button', class: 'open-row', 'aria-expanded': String(open) }, text));
        else cell.append(text);
        const marked = column.name === 'primitive' ? marks.get(row.primitive) : undefined;
        if (marked) cell.append(' ', element('span', { class: `mark ${marked.mark}`, title: marked.authority || null }, marked.mark));
        if (column.name === 'toolchain' && row.toolchain_version !== null) cell.append(` ${row.toolchain_version.split(' (')[0]}`);
        return cell;
      });
      return element('tr', { class: 'row', 'data-index': index, onclick: toggle }, ...cells);
    }

    details(index, columns) {
      const row = this.rows[index];
      const groups = this.source.groups.map(({ title, names }) => {
        const pairs = names.filter((name) => row[name] !== null).flatMap((name) => {
          const field = report.fields[name];
          const unit = typeof row[name] === 'number' && field.unit ? ` ${field.unit}` : '';
          return [element('dt', { title: field.doc }, name), element('dd', { class: /hash|commit/.test(name) ? 'hash' : name === 'error' ? 'text' : null }, exactly(row[name]) + unit)];
        });
        return pairs.length ? element('section', {}, element('h4', {}, title), element('dl', {}, ...pairs)) : null;
      });
      const functions = row.functions ? JSON.parse(row.functions).slice(0, 12) : [];
      if (functions.length) {
        const pairs = functions.flatMap((each) => [element('dt', {}, each.name), element('dd', {}, `${exactly(each.cycles)} cycles`)]);
        groups.push(element('section', {}, element('h4', {}, 'Cycles by function'), element('dl', {}, ...pairs)));
      }
      if (row.command) {
        groups.push(element('section', { class: 'wide' }, element('h4', {}, 'Repeat it'), element('code', { class: 'command' }, row.command)));
      }
      return element('tr', { class: 'details' },
        element('td', { colspan: columns.length }, element('div', { class: 'groups' }, ...groups.filter(Boolean))));
    }
  }

  // Plots

  class Plot {
    constructor(section, chart) {
      this.chart = chart;
      this.rows = rowsOf(chart.rows);
      this.plot = section.querySelector('.plot');
      this.hint = section.querySelector('.hint');
      this.selectors = [];
      const form = section.querySelector('.choices');
      form.addEventListener('submit', (event) => event.preventDefault());
      for (const name of [...chart.open, ...chart.single]) {
        const { select, holder } = selector(name, () => this.draw());
        select.name = name;
        this.selectors.push({ name, select, holder, values: [], all: chart.open.includes(name) });
        form.append(holder);
      }
      this.first = true;
      this.draw();
    }

    /* Each choice offers only what the choices before it leave. */
    narrowed() {
      let rows = this.rows;
      for (const each of this.selectors) {
        const before = chosen(each.select, each.values);
        const keep = this.first ? this.preset(each, rows) : each.select.value === 'all' ? undefined : before;
        each.values = distinct(rows, each.name);
        offer(each.select, each.values, keep, each.all && each.values.length > 1 ? 'all' : null);
        each.holder.hidden = each.values.length < 2;
        const value = chosen(each.select, each.values);
        if (value !== undefined) rows = rows.filter((row) => row[each.name] === value);
      }
      this.first = false;
      return rows;
    }

    /* What is shown first: of a preset choice the value with the most rows, of equals the first. */
    preset(each, rows) {
      if (each.all && !this.chart.preset.includes(each.name)) return undefined;
      const counts = new Map();
      for (const row of rows) counts.set(row[each.name], (counts.get(row[each.name]) ?? 0) + 1);
      return [...counts.entries()].sort((a, b) => b[1] - a[1])[0]?.[0];
    }

    async draw() {
      const rows = this.narrowed();
      const differing = this.chart.series.filter((name) => distinct(rows, name).length > 1);
      const named = differing.length ? differing : this.chart.series.slice(0, 1);
      const values = rows.map((row) => ({ ...row, series: named.map((name) => row[name]).filter((part) => part !== null).join(' · ') }));
      const count = distinct(values, 'series').length;
      this.hint.textContent = values.length === 0 ? 'Nothing was measured for this choice.'
        : this.chart.crowded && count > this.chart.crowded ? `${count} lines; choose a target or a primitive to see fewer.` : '';
      const spec = { ...this.chart.spec, data: { name: 'rows', values } };
      if (this.chart.step) spec.height = this.chart.step * Math.max(1, count);
      const theme = report.themes[dark.matches ? 'dark' : 'light'];
      const columns = Math.max(1, Math.floor(this.plot.clientWidth / LEGEND_COLUMN_PX));
      const config = { ...theme, legend: { ...theme.legend, columns } };
      this.result?.finalize();
      this.result = await window.vegaEmbed(this.plot, spec,
        { actions: false, ast: true, renderer: 'svg', config, tooltip: { theme: dark.matches ? 'dark' : 'light' } });
    }
  }

  for (const id of ['results', 'failures']) {
    const section = document.getElementById(id);
    if (section && section.querySelector('table')) new Table(section, report[id]);
  }
  const plots = report.charts.map((chart) => new Plot(document.getElementById(`chart-${chart.id}`), chart));
  const redraw = () => plots.forEach((plot) => plot.draw());
  dark.addEventListener('change', redraw);
})();
