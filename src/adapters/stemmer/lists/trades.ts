/** Words of requests of a trade or a household, in the form of the thesaurus. */
export const trades = `
contact lead person : lead leads prospect prospects client clients acquaintance customer
company account organization : firm business employer vendor supplier account accounts
deal opportunity stage : won lost win closing closed_won negotiation
pipeline forecast report : forecast bring_in outlook expect revenue
merge duplicate : twice double doubled duplicate duplicates two_records both_records put_together same_person
sequence campaign enroll email : onboarding drip nurture newsletter
unsubscribe opt marketing : newsletter newsletters mailing_list opt_out no_more stop_sending
campaign newsletter mailing : newsletter campaign mailing mailshot
log call phone : phoned phone rang telephoned spoke talked
log meeting : met meeting
task follow reminder : remind follow_up call_back get_back
customer client : client buyer shopper patron guest
product item article : product item article goods merchandise ware thing
product create : offer sell sells stock_new
product delete : no_longer_sell discontinue
price cost update : cost costs price charge cheaper expensive
inventory stock quantity : left available stock warehouse shelf supply store run_out in_stock
inventory adjust stock : delivery arrived found missing broken damaged received
order purchase : order purchase bought buy
order shipping fulfill shipment : ship shipped send_out dispatch parcel package delivered deliver courier dhl ups fedex
tracking shipment track : parcel package tracking delivery where_is
refund payment : refund reimburse money_back give_back pay_back
return order : return send_back
cancel order : call_off stop_the
cart checkout : cart basket checkout
checkout abandoned : abandoned never_paid left_without never_finished unfinished
discount coupon promotion code : voucher coupon promo rebate percent_off sale
gift card : voucher gift
sales analytics report : sold sell sells selling turnover revenue earned earnings income bestseller best_selling
report summary statistics : overview figures numbers trend
ticket case support : case complaint complaints inquiry enquiry
ticket create open : complaint complains reports
reply public ticket : customer_that requester
note internal private : colleagues_only only_agents internally remark privately confidential
assign agent group : hand responsible take_over takes_over
priority urgent : urgent urgently important asap
resolve solved close : solved done fixed sorted settled finished
reopen : back_again again returned still_broken
escalate tier : second_level supervisor escalate higher
satisfaction rating csat survey : happy satisfied unhappy rate rating feedback think_of
availability online status agent : online free available reach take_a on_duty
article knowledge help base : help_article faq instructions guide how_to
publish article : online public live
invoice bill create : bill invoice charge
expense receipt : expense expenses receipt spent reimbursement
account balance bank : balance money savings bank
transfer payment send : transfer wire pay
tax vat : tax taxes vat
payroll salary : salary salaries wage wages pay_slip payroll
employee staff : employee employees staff colleague hire worker
candidate applicant application : applicant applicants candidate candidates applied
leave absence vacation time_off : vacation holiday holidays leave day_off days_off sick absent
timesheet time entry track : hours timesheet clock_in clock_out
job posting position : vacancy vacancies opening
contract document agreement : contract agreement
signature sign document envelope : sign signed signature esign
policy rule : policy
survey form response : survey questionnaire poll answers
poll vote : poll vote voting
subscribe subscriber audience : subscriber subscribers audience followers
post publish social : tweet post share_on publish
schedule post : later
like favorite : like liked heart
follow user artist : follow following let_me_know brings_out new_releases
unfollow : stop_following
block mute : mute silence hide
trending popular : trending popular hot viral
comment reply : respond reaction
blog post article page : blog article story
media upload : picture video
lights light switch device : light lights lamp lamps
device on switch : switch_on turn_on put_on activate
device off switch : switch_off turn_off put_off out
brightness light dim : dim darker brighter brightness
color light : red blue green yellow purple white pink orange warm_white
temperature thermostat climate heating : warm cold hot cool cooler warmer degrees heating heater freeze freezing
cover blinds shutter curtain garage : blinds shutters curtains blind curtain shade shades garage
lock front door : lock secure
unlock front door : unlock let_in open_the_door
alarm security arm : alarm burglar intruder away leaving
alarm disarm security : back_home disarm
vacuum robot clean : hoover vacuum clean sweep mop
dock charging station vacuum : dock base_station home_again
scene mode : scene mood movie_night good_night
automation trigger rule schedule : every_evening sunset sunrise whenever automatically each_time daily
energy power consumption usage : power electricity energy consume consumption kwh watt
camera snapshot image video : camera doorbell at_the_door outside cctv webcam
sensor history reading humidity : humid humidity damp air dust sensor
device state status : still_on is_on is_off running
device battery : battery charge
washer dryer appliance : washing_machine dishwasher dryer oven fridge
play playback start music : play put_on listen hear some_music
pause playback stop : pause stop_the_music silence
skip next track : next skip don_t_like another_song
previous track : previous last_song
volume : loud louder quiet quieter softer volume
shuffle : shuffle random random_order mix_up
repeat loop : repeat loop over_and_over
queue add track : queue after_this afterwards play_next
now playing current track : which_song what_song this_song song_called is_playing
playlist : playlist list_of_songs mix mixtape
playlist create : new_list collection
playlist remove track : take_off off_my
lyrics track : lyrics words text sing
recommend recommendation similar : suggest recommend similar like_this proposal
transfer playback device : on_the_speaker speaker tv continue_on
library save album : save keep_album my_collection
artist album track : singer band musician album record
podcast episode : podcast episode
movie film show series : movie film series show watch
book isbn : book novel author read
recipe meal ingredient : recipe cook meal dinner dish ingredients bake
nutrition calories food : calories nutrition healthy protein
workout exercise activity fitness : workout exercise run running ran training gym
sleep heart rate health : sleep slept heart pulse steps
appointment doctor patient : doctor patient appointment
medication drug : drug drugs medicine medication pill
flight search book : flight flights fly plane airport
hotel accommodation search book : hotel hotels stay room overnight
train departure station transit : train trains bus subway departs departure
car rental vehicle : car vehicle rent
trip itinerary : trip journey itinerary travel
ticket event concert : concert ticket tickets show
restaurant reservation book : table reserve restaurant
traffic route directions : traffic jam route drive
parking charging station : parking park charging
currency exchange convert rate : currency dollars euros pounds yen exchange worth
stock quote price : share shares stock stocks
crypto price coin : bitcoin ethereum crypto coin
portfolio position holding : portfolio holdings invested
trade order buy : buy sell trade
loan mortgage : loan mortgage credit
property listing real_estate : house apartment flat rent property
employee list department : works_in who_works colleagues_in
employee offboarding : quits quit resigns leaves_us last_day
employee onboarding : starts_on new_colleague joins
time_off leave request : take_off week_off free_day vacation
time_off balance leave : holiday_left days_left
payslip salary : earn earned earnings wage
job posting create : looking_for vacancy hiring
interview schedule candidate : talk_with_the_applicant interview
expense submit report : taxi want_back want_that_back paid_myself
flight search : by_plane plane flights fly
flight status delay : late delayed on_time landed gate
check_in seat : window_seat aisle seat boarding
booking cancel refund : can_t_go after_all
hotel search accommodation : place_to_sleep somewhere_to_stay sleep_in
car rental reserve : wheels
visa passport requirements entry : visa papers passport enter
itinerary trip bookings : have_i_booked
account balance list : how_much_money
transactions account list : did_i_pay spent_on payments
transfer money send iban : euros_to dollars_to pounds_to send_money pay_to wire
standing order recurring transfer : rent regularly every_month monthly first_of_every
card block : stolen lost_my card
exchange rate currency : dollar euro yen pound worth
spending category budget : groceries spend goes_to
direct debit mandate : may_take
statement download : bank_statement
workout log activity : ran swam cycled jogged kilometres kilometers exercised trained
workout list history : gym training
step count activity : walk walked steps far
sleep summary duration : sleep slept
weight log : weigh weighed kilos pounds_heavy
heart rate : pulse
goal set target : want_to_run aim target
meal log calories food : ate eaten lunch dinner breakfast pizza snack had_a
recipe search : cook_with cook bake
recipe get ingredients steps : is_made how_is_the
meal plan create : we_eat eat_this
shopping list add item : out_of need_more buy
shopping list get : have_to_buy to_buy
pantry food list inventory : food_do at_home fridge
units convert : grams cups ounces liters miles
recipe scale servings : guests portions people_eat
post article update : headline mistake typo
post article delete : must_go
page view visitor analytics : people_read visitors visits readers traffic
meta seo description : google_shows
post schedule publish later : online_on
media image upload : photo_on picture_on
comment moderate spam : spam rude
domain register : buy_the_domain
website deploy publish : go_live
email template : template
lead score : promising
quote estimate offer create : offer quotation proposal
invoice overdue unpaid list : owes owe unpaid overdue
invoice send reminder dunning : remind_the_customer
payment status : paid_already has_paid
subscription cancel : stop_paying
shipping label create : label
warehouse location stock : shelf
supplier purchase order : supplier reorder
class course schedule : lessons lecture
student grade list : marks grades
room reserve booking : meeting_room conference_room
visitor register : visitor
vehicle location track : where_is_the_car
fuel battery charge : charge_the_car range
front door bell camera : rang
irrigation water valve sprinkler : water_the_garden
fan air conditioner climate : fan air_conditioning
tv channel remote : television
game score match result : won_the_match score match game
league table standing : league
news headline article list : headlines
quote random joke fact : joke
horoscope : horoscope
image search photo : photos_of pictures_of
font color style : font
logo brand : logo
wireframe component design frame : mockup layout
layer shape draw : rectangle circle
video transcript : said_in
subtitle caption : subtitles
file share link permission : give_access
file version history : earlier_version
drive storage quota : space_left full
process list running : running_programs
process kill : hangs stuck frozen
disk memory system info : ram
port network scan : reachable
package install : install
test run : tests
code format lint : tidy
function refactor rename : refactor
issue search label : bugs
sprint board task move : move_to_done
time entry start timer : start_the_clock
poll create survey : ask_everyone
call join meeting : dial_in
voicemail : voicemail
contact photo birthday : birthday
map place nearby search : around
weather alert : storm
`;
