/** Words of requests about people, markets, journeys, health, devices and programs, in the form of the thesaurus. */
export const fields = `
time entry create : forgot_to_track i_worked worked_from booked_hours
time entry timer start : start_tracking track_time clock_in
time entry timer stop : stop_tracking clock_out finished_working
time entry current running : tracking am_i_tracking
weekly report summary : hours_last_week last_week_hours which_projects
candidate add : cv resume applicant recruiting
candidate application : cv resume applicant applicants
application advance stage : move_her_on move_him_on move_them_on next_round on_site_round next_stage
application reject decline : rejection turn_down turned_down not_suitable negative
interview schedule scorecard : interview interviews on_site
offer : job_offer
job opening posting : vacancy vacancies position positions role opening openings
employee onboarding : joins_us starts_on new_hire new_hires new_colleague
employee offboarding remove terminate : leaves_us left_us has_left last_day
attendee attendees registration guest : registered signed_up attendees participants attending coming who_is_coming
ticket event : tickets admission
venue : hall location_of
aggregates aggs bars history price : price_history stock_price price_chart share_price_history candles ohlc historical_prices
quote price last trade snapshot : share_price trading_at trades_at stock_price
ticker stock equity : stock stocks share shares ticker listed_company
gainers losers movers snapshot direction : rose_most fell_most rose fell gained lost_most biggest_winners biggest_losers top_gainers winners losers
dividend dividends : dividend payout pay_out paid_out shareholders
split splits : stock_split share_split
earnings income statement financials : profit_of made_last_year revenue_of earned_last_year
market status open : stock_exchange exchange_open market_open trading_hours
exchange rate currency convert : exchange_rate dollars euros into_euros into_dollars
crypto coin : bitcoin ethereum token tokens coin
portfolio position holdings : my_shares my_stocks own_shares invested holdings
order place buy sell : buy_shares sell_shares
watchlist : watch_list favourites
analyst rating recommendation target : analysts price_target
insider transactions : insiders
restore revision version : put_it_back how_it_was back_to_how messed_up earlier_version old_version version_of
revisions list versions history : earlier_versions old_versions
revoke shared link delete : stop_working link_must no_longer_work unshare stop_sharing
shared link create share : share_a_link link_to_share public_link
sharing permission share folder : share_with give_access
battery level charge soc : battery charged range_left akku
vehicle car : car cars vehicle auto tesla automobile
charge start stop vehicle : charging charger plug
lock unlock vehicle : lock unlock locked unlocked
odometer : mileage driven kilometres miles
tire tyre pressure : tyre tyres tire tires
climate preconditioning hvac : warm_up cool_down preheat
send destination navigation : navigate_me
location vehicle : where_is_my_car parked
filter effect apply grayscale monochrome : black_and_white greyscale grayscale sepia blur sharpen filter vintage
rotate orientation flip : rotate upside_down sideways landscape portrait turn_the flip mirror
resize scale dimensions : smaller larger bigger half_the_size shrink thumbnail
watermark overlay : watermark logo_on
crop trim : cut_off trim crop
background remove : cut_out transparent
convert format : into_png into_jpg as_png as_webp into_a_pdf turn_into
compress optimize quality : smaller_file file_size
order track status delivery : get_here arrive when_will arriving on_its_way delivery_time
grocery product cart list : groceries grocery ingredients
recipe : cook cooking dish meal recipe
meal plan : meals dinner_plan eat_this_week
secret write put kv : store_the_password store_the_secret password_under
secret read get kv : password_of password_for
synonym synonyms : should_also_find also_find means_the_same same_as
settings searchable attributes ranking : rank ranked
search analytics top searches : searched_for search_terms what_people_search
decline reject pull_request pr : turn_down decline
change order flight modify : rebook rebooking two_days_later days_later fly_later later_flight
flight offer search : fly flight flights plane airfare ticket_to
seat map : window_seat aisle_seat seats
baggage luggage : luggage suitcase bag
hotel stay accommodation search : hotel hostel room_for nights place_to_stay
booking reservation create : reserve book_a
booking reservation cancel : call_off
train rail : train trains railway
car rental : rental_car hire_a_car rent_a_car
attachment create upload add : put_the_scan add_the_scan attach
item entry vault login : password_manager
organization member invite : should_get_into get_into
organization member remove delete : take_her_out take_him_out take_them_out take_out_of
audit events log activity : audit_log who_looked who_accessed who_viewed looked_at
member user role update : promote make_admin make_her_admin
preview estimate simulate dry : what_would_it_cost would_it_cost don_t_change_anything without_changing just_check what_if
subscription update plan seats : seats upgrade downgrade
subscription cancel : no_longer_pay unsubscribe
subscription pause resume : pause resume
customer portal session : portal
transaction list payment : payments transactions charged
payout : paid_to_our_bank payouts
adjustment refund credit : refund refunded money_back
app install uninstall device : uninstall deinstall test_app
orientation set device : landscape portrait
location set gps device : believe_it_is pretend_to_be spoof fake_location
device list available simulator emulator : emulators simulators phones devices
simulator emulator device boot : phone handset
screenshot record screen device : film_the_screen record_the_screen
coverage file test : covered not_covered lines_covered coverage
build test run target scheme : compile compiles
upsert records embed index vectors : embeddings store_these snippets
rerank documents : reorder_by_relevance
vector search query similar : similar_to most_similar semantic
namespace index describe stats : how_many_vectors
workout create log : my_session training_session gym_session bench_press deadlift squat log_my
exercise history : progressed evolved my_progress over_time
routine create template plan : template workout_plan training_plan push_day leg_day reuse
body measurement weight : weigh weighed waist body_fat
sleep : slept sleep night_s_rest
steps activity heart rate : walked steps pulse heartbeat
nutrition food log : ate eaten calories breakfast lunch dinner
staff crew person : director actor actress voice_actor producer author_of
cast character characters : plays_the role_of
media anime movie show : film films series movie episode episodes
watchlist list entry add : want_to_watch watch_later to_my_list
list entry update progress : finished_watching watched watched_episode episode
live session browser device : real_device real_mac real_phone click_around try_it_on
test run result : test_results passed failed_tests
accessibility scan : accessible screen_reader wcag
flag feature toggle : feature_flag switched_on roll_out percent_of_users
segment targeting rule : only_for beta_users
experiment variant results : a_b_test variant
queue purge messages : empty_the_queue clear_the_queue pile_up
queue list info : queues waiting_messages backlog
connection list close : connected connections
deployment build logs : why_did_the_build build_failed
deployment rollback promote : previous_deployment go_back_to
deployment list get : deployed deployments
environment variable env : env_var environment_variable
domain availability price : domain_free is_the_domain available_domain buy_a_domain
application client create oauth : new_application
log stream events authentication : failed_logins signed_in logins
user block : lock_out locked_out ban
mfa factor enrollment : two_factor second_factor authenticator 2fa mfa
journal entry ledger : book_the journal
bill vendor payable : bill_from supplier_invoice
invoice create customer : bill_them bill_the_customer due_in hours_of consulting
invoice send remind : payment_reminder
profit loss report : how_are_we_doing
bank transaction reconcile categorize : reconcile categorise uncategorised
chart of accounts : accounts
topic reply post : thread discussion
post publish blog article : blog_post publish
post draft : not_published unpublished
comment moderate approve spam : moderate
plugin theme : plugin plugins theme
category tag taxonomy : category categories
category tag : tag tags
media library upload : header_image
flag moderation review queue : flagged reported_posts
article paper search pubmed : studies trials medical_literature papers
clinical trial : trial trials recruiting_patients
drug medication interaction : medicine medication pill side_effects drug
patient record appointment : patient patients doctor
citation cited related : cited_by cites
law statute case court : court ruling judgement law
contract template sign envelope : contract signature sign
map board frame shape : whiteboard sticky
component design node file : mockup mockups design designs layer
design export asset : svg_of
color style variable token : colours colors palette
scene node add : scene sprite character
scene object create material : cube sphere object
script edit code project : gdscript script
play run project stop : play_mode run_the_game
track playlist add : song songs playlist
playback pause play skip next : pause skip next_song music louder quieter
volume set : louder quieter volume loud quiet softer
queue track : play_next
podcast episode : podcast
video transcript captions : subtitles transcript said_in_the_video
channel statistics videos : subscribers views
light device turn_on scene : lamp lights lamps
thermostat temperature climate set : warmer colder heating degrees
vacuum start clean : vacuum hoover
camera snapshot stream : camera doorbell
energy consumption usage : electricity power_use
package shipment label create : shipping_label send_a_parcel
rate shipping calculate : postage shipping_cost
warehouse stock level : how_many_left
review rating list reply : reviews stars
ad campaign performance insights : ads advert advertising clicks impressions
keyword search volume rank : keywords google_position search_ranking
backlink : links_to_us
landing page form lead : form_submissions
survey response form : answered_the_survey responses filled_in_the_form
list subscriber add : mailing_list subscribers
broadcast message send multicast : to_all_followers to_everyone all_followers
rich menu : menu_at_the_bottom
webhook subscription create : tell_our_server call_our_url notify_our
webhook event replay resend : send_again resend
credit balance usage quota : credits quota used_up how_much_have_we_used
api key create rotate : api_key access_key
model list deploy inference : which_models
dataset upload : training_data
fine tune training job : fine_tuning train
notebook cell execute : notebook
dashboard panel create : dashboard
report schedule export : every_monday_report
goal objective key result : okr goals
sprint board : sprint iteration
epic story backlog : epic story
milestone due date : milestone deadline
estimate points : story_points
dependency blocker link : blocked_by blocking
label apply : label labels tagged
custom field : custom_field
student course assignment grade : homework grades marks
flashcard deck card : flashcard vocabulary
dictionary definition word : what_does_mean definition
tide sunrise : tide
earthquake : earthquake quake
traffic jam : traffic
bus transit departure stop : bus tram departures next_bus
parking : park_near
fuel price station : petrol gas_station
charging station : charging_station
property listing real estate : house_for_sale flat_for_sale rent
loan mortgage payment calculate : mortgage loan
donation campaign : donate donations
report run analytics : visitors page_views visits website_traffic
realtime report active users : at_this_moment on_our_site on_the_site
oncall oncalls : on_call bereitschaft
stage add : stage_the
context cluster : switch_to_the_cluster
subreddit post create : ask_r
error issue : crashes
field column create : add_a_column
find query collection : from_the_collection documents_in
responders add : team_to_help
work items my assigned : on_my_plate assigned_to_me my_work
work item child children subtask add : break_story break_it into_tasks split_into
deploys deployments list : deployment_history
metrics metric : memory_use using_since cpu_use how_much_memory
static site create : plain_html portfolio host_my
question answers check_in : everybody_reply everyone_answer
design theme apply professional : look_boring boring colour_scheme farbschema folien
item remove unlink institution : disconnect linked_to link_to_my
allergies allergy : allergic
immunizations vaccine : vaccinated vaccination shots jab
conditions diagnosis : diagnosed illness
observations lab vitals : blood_pressure lab_results test_values
flight inspiration destinations : where_can_i_fly leave_from_for where_to_fly
scene set activate : movie_night activate_the
motion sensor : moved_in movement anyone_moved motion
credits cast : who_played played_in
recommendations similar : what_else_should loved similar_to
discover filter : rated_above from_the_1980s from_the_1990s
filmography person credits : has_worked worked_in acted_in
grade submit score : out_of_100 give_points marked
enroll user student : add_student
quiz create : test_on minute_test exam
citations verify : cases_in_it cited_cases are_the_cases
docket entries : was_filed filed_in filings
opinions opinion search : rulings judgement judgements decided
enrichment person people enrich : work_email phone_for contact_data
negative keywords keyword add : shouldn_t_appear not_appear
search terms report : triggered_our what_queries
structure align protein : superposition
reformat format file code : code_style formatting
holders holder institutional : hold_the_most detiennent largest_shareholders
app details : does_it_run system_requirements
unblock job : manual_step goes_on let_it_continue
logs tail : end_of_its_output last_lines
droplet instance vm create : ubuntu_vm virtual_machine small_vm
droplet instance resize : too_small more_memory gb_of_memory
droplet snapshot : current_state save_its_state
droplet instance reboot power : hangs
children downstream dependents lineage : will_break what_breaks depends_on_it
parents upstream lineage : where_does_it_come comes_from
column create board : another_field
recipient beneficiary create : payee iban
range market chart history coin : develop_between price_between
food log meal : desayunado eaten had_for_breakfast petit_dejeuner
exercise calories estimate burn : burn cycled jogged ran_for
coach sequence wagon : wagen bahnsteig platform carriage
delay claim refund : minutes_late money_back compensation
station facilities : lift elevator pram wheelchair toilets
occupancy trip : how_full crowded busy_is
vacation create thermostat : we_are_away away_from
runtime report : furnace_run how_long_did
transcribe audio : speech_of clip_as_text
lut apply grade : look_on
auto sync audio : line_up out_of_sync
extend due date : a_week_later turn_in more_time extension
check conflicts conflict : take_on acted_against
expense log : courier cost_us
snippet share call : send_minutes
unsubscribe marketing profile : promo_mails no_more_mails any_more_promo
flow report performance : perform series
challenge computer ai game : contre_l_ordinateur against_the_computer play_chess echecs
masters openings : grandmasters
exoplanet : planets_around other_stars
order status pickup : ready_for_pickup
meter reading usage : used_in_january
invoice overdue remind : not_paid_yet
`;
